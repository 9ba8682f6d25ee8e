import { memo } from "react";

import type { RunSummary } from "../api/types";
import { duration } from "../logic/time";
import { Swatch } from "../ui/marks";

/** One small cell a run, a line a variant, in the order in which the runs of a variant come. */
export function RunStrip({
  runs,
  variants,
  shown,
  total,
}: {
  runs: readonly RunSummary[];
  variants: readonly string[];
  shown: number;
  total: number;
}) {
  return (
    <div className="stack" style={{ gap: "var(--s2)" }}>
      <div className="strip">
        {variants.map((variant, index) => {
          const own = runs.filter((run) => run.variant === variant);
          return (
            <div key={variant} style={{ display: "contents" }}>
              <span className="anywhere" style={{ maxWidth: "14rem" }}>
                <Swatch index={index} />
                {variant}
              </span>
              <ol aria-label={`Runs of ${variant}`}>
                {own.map((run) => (
                  <Cell key={run.id} run={run} />
                ))}
              </ol>
            </div>
          );
        })}
      </div>
      {shown < total && (
        <p className="small soft">
          The first {shown} of {total} runs are shown.
        </p>
      )}
    </div>
  );
}

const Cell = memo(function Cell({ run }: { run: RunSummary }) {
  const words = cellWords(run);
  return (
    <li className={`cell ${run.state}`} title={words}>
      {run.state === "running" && <i style={{ height: `${Math.max(8, (run.progress?.fraction ?? 0) * 100)}%` }} />}
      <span className="hidden-text">{words}</span>
    </li>
  );
});

function cellWords(run: RunSummary): string {
  const parts = [`run ${run.replicate + 1}, seed ${run.seed}: ${run.state}`];
  if (run.state === "running" && run.progress) parts.push(`${Math.round(run.progress.fraction * 100)} %`);
  if (run.started_ms !== null && run.ended_ms !== null) parts.push(`in ${duration(run.ended_ms - run.started_ms)}`);
  if (run.attempt > 1) parts.push(`attempt ${run.attempt}`);
  if (run.failure) parts.push(run.failure.message);
  return parts.join(", ");
}
