import type { PatchDetail } from "../api/types";
import { plural } from "../logic/paste";
import { Line } from "../report/line";
import { VerdictMark } from "../ui/marks";

/** The figures and claims that stand in the text around the patches. */
export function PatchFigures({ detail, go }: { detail: PatchDetail; go: (line: number) => void }) {
  const { figures } = detail;
  if (figures.results + figures.tests + figures.claims.length === 0) return null;
  const counts = [
    figures.results > 0 && plural(figures.results, "figure", "figures"),
    figures.tests > 0 && plural(figures.tests, "test", "tests"),
  ].filter(Boolean);
  return (
    <section className="card stack" style={{ gap: "var(--s3)" }} aria-labelledby="figures-title" data-testid="figures">
      <h2 id="figures-title">Figures in the text</h2>
      {figures.headline && (
        <p className="row">
          {figures.verdict && <VerdictMark verdict={figures.verdict} />}
          <span style={{ flex: "1 1 16rem" }}>{figures.headline}</span>
        </p>
      )}
      {counts.length > 0 && (
        <p className="soft small">
          {counts.join(", ")}
          {figures.kind && ` of ${figures.kind}`}; paste the text on the first page to make it a report or an
          experiment.
        </p>
      )}
      {figures.claims.length > 0 && (
        <ul className="notes" aria-label="What the author says">
          {figures.claims.map((claim) => (
            <li key={`${claim.line} ${claim.text} ${claim.value}`}>
              line <Line number={claim.line} go={go} />: “{claim.text}”
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
