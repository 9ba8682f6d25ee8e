import { describe, expect, it } from "vitest";

import type { FileChange, Patch, PatchDetail } from "../api/types";
import { counted, inFewWords, place, prose, summary } from "./series";

function file(changes: Partial<FileChange>): FileChange {
  return {
    path: "fs/a.c",
    old_path: null,
    added: 1,
    deleted: 0,
    binary: false,
    status: "modified",
    old_mode: null,
    new_mode: null,
    similarity: null,
    whole: true,
    line: 1,
    ...changes,
  };
}

describe("a patch", () => {
  it("stands where its subject says", () => {
    const places = [
      { position: 0, total: 3 },
      { position: 2, total: 3 },
      { position: 2, total: null },
      { position: null, total: null },
    ].map((patch) => place(patch as Patch));
    expect(places).toEqual(["cover", "2/3", "2", "–"]);
  });

  it("shows its message without the trailers that are listed apart", () => {
    const trailers = [{ key: "Signed-off-by", value: "a", line: 3 }];
    const shown = (message: string) => prose({ message, trailers } as unknown as Patch);
    expect(shown("Because.\n\nSigned-off-by: a\n")).toBe("Because.");
    expect(shown("Signed-off-by: a\nmore text")).toBe("Signed-off-by: a\nmore text");
    expect(shown("")).toBe("");
  });

  it("counts lines, and files that have none apart", () => {
    const files = [file({ added: 3, deleted: 2 }), file({ added: null, deleted: null, binary: true }), file({})];
    expect(counted(files)).toEqual({ added: 4, deleted: 2, uncounted: 1 });
  });

  it("says what happened to a file", () => {
    expect(inFewWords(file({}))).toBe("");
    expect(inFewWords(file({ status: "renamed", old_path: "fs/b.c", whole: false }))).toBe(
      "renamed, from fs/b.c, not whole",
    );
    expect(inFewWords(file({ status: "mode", old_mode: "100644", new_mode: "100755" }))).toBe("mode 100644 → 100755");
  });
});

describe("a series", () => {
  it("is summed up over the patches that would be applied", () => {
    const patches = [
      { files: [file({})] },
      { files: [file({ added: 9 })] },
      { files: [file({ path: "b", deleted: 4 })] },
    ];
    const detail = { series: { version: 2, total: 3, order: [1, 2] }, patches } as unknown as PatchDetail;
    expect(summary(detail)).toBe("version 2 · 2 of 3 patches · 2 files, +10 −4");
  });

  it("of a cover letter alone names no files", () => {
    const detail = { series: { version: 1, total: 9, order: [] }, patches: [] } as unknown as PatchDetail;
    expect(summary(detail)).toBe("version 1 · 0 of 9 patches");
  });
});
