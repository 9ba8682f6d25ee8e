import "./diff.css";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import type { Patch } from "../api/types";
import { fileTree, readDiff } from "../logic/diff";
import { patchDiffQuery } from "../queries/patches";
import { Fault, Skeleton } from "../ui/feedback";
import { DiffFile } from "./file";
import { Tree } from "./tree";

/** The diff of one patch: its files as a tree, and each file's lines. */
export function DiffFiles({ id, number, patch }: { id: string; number: number; patch: Patch }) {
  const text = useQuery(patchDiffQuery(id, number));
  const diffs = useMemo(() => readDiff(text.data ?? ""), [text.data]);
  const tree = useMemo(() => fileTree(patch.files.map((file) => file.path)), [patch.files]);
  const anchor = (index: number) => `patch-${number}-file-${index}`;
  if (text.isPending) return <Skeleton height="20rem" />;
  if (text.isError) return <Fault error={text.error} again={() => void text.refetch()} />;
  return (
    <div className={patch.files.length > 1 ? "diff-files" : ""} data-testid="diff">
      {patch.files.length > 1 && <Tree nodes={tree} anchor={anchor} />}
      <div className="stack" style={{ gap: "var(--s3)", minWidth: 0 }}>
        {patch.files.map((file, index) => (
          <DiffFile
            key={`${file.path} ${file.line}`}
            id={anchor(index)}
            file={file}
            diff={diffs.find((diff) => diff.path === file.path)}
          />
        ))}
      </div>
    </div>
  );
}
