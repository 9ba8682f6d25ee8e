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
export function Answer({
  experiment,
  comparison,
}: {
  experiment: ExperimentDetail;
  comparison: Comparison | undefined;
}) {
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
      {broken && (
        <RunStrip
          runs={experiment.runs}
          variants={variants}
          shown={experiment.runs_shown}
          total={experiment.runs_total}
        />
      )}
      <p className="row small">
        <span className="soft">Download</span>
        {FORMATS.map(([suffix, name]) => (
          <a key={suffix} href={downloadOf(experiment.id, suffix)} download={`lodestone-${experiment.id}.${suffix}`}>
            {name} (.{suffix})
          </a>
        ))}
      </p>
      <Notes notes={comparison?.notes ?? []} />
    </section>
  );
}

function downloadOf(id: string, suffix: string): string {
  const base = `/api/v1/experiments/${id}/comparison`;
  return suffix === "json" ? base : `${base}.${suffix}`;
}

const NOTES_SHOWN = 3;

function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  const list = (shown: readonly string[]) => (
    <ul className="notes">
      {shown.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
  if (notes.length <= NOTES_SHOWN) return list(notes);
  return (
    <details className="small">
      <summary>{notes.length} notes on what was left out and why</summary>
      {list(notes)}
    </details>
  );
}
