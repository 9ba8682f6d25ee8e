import { useState } from "react";

import type { ReportResult } from "../api/types";
import { formatValue } from "../logic/units";
import type { Report } from "../queries/reports";
import { Scroll } from "../ui/scroll";
import { Line } from "./line";

const ROWS_SHOWN = 100;

/** Every figure that was read, in the order in which they stand in the text. */
export function Figures({ report, go }: { report: Report; go: (line: number) => void }) {
  const [words, setWords] = useState("");
  const [most, setMost] = useState(ROWS_SHOWN);
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = report.results.filter((row) => {
    const text = `${row.metric} ${row.variant ?? ""} ${row.job ?? ""} ${row.cell ?? ""}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  const unlisted = report.results_total - report.results.length;
  return (
    <section className="card" aria-labelledby="figures-title" data-testid="figures">
      <div className="table-tools">
        <h2 id="figures-title">Every figure</h2>
        <input
          className="input"
          style={{ width: "11rem" }}
          type="search"
          aria-label="Filter figures"
          placeholder="Filter figures"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      </div>
      <Scroll label="Every figure">
        <table className="data">
          <thead>
            <tr>
              <th scope="col">metric</th>
              <th scope="col">side</th>
              <th scope="col">job</th>
              <th scope="col" className="number">
                value
              </th>
              <th scope="col" className="number">
                n
              </th>
              <th scope="col" className="number">
                line
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, most).map((row, index) => (
              <tr key={index}>
                <td>{row.metric}</td>
                <td>{[row.variant, row.cell].filter(Boolean).join(" · ") || <span className="soft">–</span>}</td>
                <td>{place(row) || <span className="soft">–</span>}</td>
                <td className="number">{value(row)}</td>
                <td className="number">{row.n ?? "–"}</td>
                <td className="number">
                  <Line number={row.line} go={go} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {rows.length > most && (
        <p>
          <button type="button" className="button" onClick={() => setMost(most + 5 * ROWS_SHOWN)}>
            Show more of {rows.length}
          </button>
        </p>
      )}
      {unlisted > 0 && (
        <p className="soft small">
          {unlisted} more figures are in <a href={`/api/v1/reports/${report.id}/document`}>the whole document</a>.
        </p>
      )}
    </section>
  );
}

function place(row: ReportResult): string {
  return [
    row.job,
    row.group !== null ? `group ${row.group}` : null,
    row.copies !== null ? `${row.copies} copies` : null,
    row.clients !== null ? `${row.clients} clients` : null,
  ]
    .filter(Boolean)
    .join(" · ");
}

function value(row: ReportResult): string {
  if (row.error) return `${row.value === null ? "–" : formatValue(row.value, row.unit)} (error ${row.error})`;
  if (row.value !== null) {
    const spread = row.stdev === null ? "" : ` ± ${formatValue(row.stdev, row.unit)}`;
    return formatValue(row.value, row.unit) + spread;
  }
  if (row.min !== null && row.max !== null)
    return `${formatValue(row.min, row.unit)} – ${formatValue(row.max, row.unit)}`;
  return "–";
}
