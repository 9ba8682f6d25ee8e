import type { Measured } from "../api/types";
import { groupLabel } from "../logic/comparison";
import { formatValue } from "../logic/units";
import { Scroll } from "../ui/scroll";

/** The figures of an experiment of one variant, with nothing to compare them with. */
export function MeasuredTable({ rows }: { rows: readonly Measured[] }) {
  return (
    <section className="card" aria-labelledby="comparison-title" data-testid="comparison">
      <h2 id="comparison-title">Measured</h2>
      <Scroll label="Measured">
        <table className="data">
          <thead>
            <tr>
              <th scope="col">metric</th>
              <th scope="col">of</th>
              <th scope="col" className="number">
                median
              </th>
              <th scope="col" className="number">
                min – max
              </th>
              <th scope="col" className="number">
                n
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={`${groupLabel(row.group)} ${row.name}`} data-metric={row.name}>
                <th scope="row">{row.name}</th>
                <td>{[row.variant, groupLabel(row.group)].filter(Boolean).join(" · ")}</td>
                <td className="number">{value(row.summary.median, row.unit)}</td>
                <td className="number">
                  {value(row.summary.min, row.unit)} – {value(row.summary.max, row.unit)}
                </td>
                <td className="number">{row.summary.n}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

function value(figure: number | null | undefined, unit: string): string {
  return figure === null || figure === undefined ? "–" : formatValue(figure, unit);
}
