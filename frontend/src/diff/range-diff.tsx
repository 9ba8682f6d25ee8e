import "./diff.css";

import { useQuery } from "@tanstack/react-query";

import type { RangeDiffPair } from "../api/types";
import { SIGNS } from "../logic/series";
import { rangeDiffQuery } from "../queries/patches";
import { CopyButton } from "../ui/copy";
import { Fault, Skeleton } from "../ui/feedback";
import { Scroll } from "../ui/scroll";

/** What changed between two versions of a series, patch by patch. */
export function RangeDiff({ id, older }: { id: string; older: string | undefined }) {
  const found = useQuery(rangeDiffQuery(id, older));
  if (found.isPending) return <Skeleton height="10rem" />;
  if (found.isError) return <Fault error={found.error} again={() => void found.refetch()} />;
  return (
    <div className="stack" style={{ gap: "var(--s2)" }} data-testid="range-diff">
      {found.data.pairs.map((pair) => (
        <Pair key={`${pair.old} ${pair.new} ${pair.subject}`} pair={pair} />
      ))}
      <p>
        <CopyButton text={found.data.text}>Copy as text</CopyButton>
      </p>
    </div>
  );
}

function Pair({ pair }: { pair: RangeDiffPair }) {
  const title = (
    <>
      <span className="path">
        {pair.old ?? "–"} {pair.sign} {pair.new ?? "–"} {pair.subject ?? "(no subject)"}
      </span>
      <span className="soft small">{SIGNS[pair.sign]}</span>
    </>
  );
  if (pair.difference.length === 0) {
    return (
      <p className="diff-file" style={{ padding: "var(--s2) var(--s3)" }}>
        {title}
      </p>
    );
  }
  return (
    <details className="diff-file">
      <summary>{title}</summary>
      <Scroll label={`Changes of ${pair.subject ?? "this patch"}`}>
        <pre className="range-diff">
          {pair.difference.map((line, index) => (
            <span key={index} className={line.startsWith("+") ? "more" : line.startsWith("-") ? "less" : ""}>
              {line}
              {"\n"}
            </span>
          ))}
        </pre>
      </Scroll>
    </details>
  );
}
