import type { Comparison, ExperimentDetail } from "../api/types";
import { VerdictMark } from "../ui/marks";
import { RunStrip } from "./strip";

const FORMATS = [
  ["txt", "text for a mail"],
  ["csv", "CSV"],
  ["svg", "picture"],
  ["json", "JSON"],
] as const;

/** The answer first: the verdict, the sentence, and what has to be said about it. */
export function Answer({ experiment, comparison }: { experiment: ExperimentDetail; comparison: Comparison | undefined }) {
  const variants = experiment.definition.variants.map((variant) => variant.name);
  const broken = experiment.runs.some((run) => run.state !== "done");
  return (
    <section className="card answer" aria-labelledby="answer-title" data-testid="answer">
      <h2 id="answer-title" className="hidden-text">
        Verdict
      </h2>
      <div className="row">
        {experiment.verdict && <VerdictMark verdict={experiment.verdict} large />}
        <p className="headline" style={{ flex: "1 1 24rem" }}>
          {experiment.headline}
        </p>
      </div>
      {comparison?.notes && comparison.notes.length > 0 && (
        <ul className="small stack" style={{ gap: "var(--s1)" }}>
          {comparison.notes.map((note) => (
            <li key={note} className="note small">
              {note}
            </li>
          ))}
        </ul>
      )}
      {broken && <RunStrip runs={experiment.runs} variants={variants} shown={experiment.runs_shown} total={experiment.runs_total} />}
      <p className="row small">
        <span className="soft">Download</span>
        {FORMATS.map(([suffix, name]) => (
          <a key={suffix} href={downloadOf(experiment.id, suffix)} download={`lodestone-${experiment.id}.${suffix}`}>
            {name} (.{suffix})
          </a>
        ))}
      </p>
    </section>
  );
}

function downloadOf(id: string, suffix: string): string {
  const base = `/api/v1/experiments/${id}/comparison`;
  return suffix === "json" ? base : `${base}.${suffix}`;
}
