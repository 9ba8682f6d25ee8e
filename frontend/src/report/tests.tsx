import { plural } from "../logic/paste";
import type { Report } from "../queries/reports";
import { Line } from "./line";

const QUIET = new Set(["passed", "notrun", "expunged"]);

/** How the tests of xfstests went; those that passed are counted, the others named. */
export function Tests({ report, go }: { report: Report; go: (line: number) => void }) {
  const loud = report.tests.filter((test) => !QUIET.has(test.status));
  const counts = Object.entries(report.totals).filter(([, count]) => count > 0);
  return (
    <section className="card" aria-labelledby="tests-title">
      <h2 id="tests-title">{plural(report.tests_total, "test", "tests")}</h2>
      <p>{counts.map(([status, count]) => `${count} ${status}`).join(", ")}</p>
      <ul className="notes">
        {loud.map((test, index) => (
          <li key={index}>
            <strong>{test.name}</strong> {test.status}
            {test.section ? ` in ${test.section}` : ""}
            {test.runs !== null ? `, ${test.failures ?? 0} of ${test.runs} runs failed` : ""}
            {test.message ? `: ${test.message}` : ""} (line <Line number={test.line} go={go} />)
          </li>
        ))}
      </ul>
    </section>
  );
}
