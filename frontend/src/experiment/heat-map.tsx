import { useMemo, useState } from "react";

import type { Comparison, Verdict } from "../api/types";
import { type HeatCell, type HeatChoice, heatChoices, type HeatMap, heatMaps, strength } from "../logic/matrix";
import { significant } from "../logic/units";
import { Scroll } from "../ui/scroll";

const SIGNS: Record<Verdict, string> = { improved: "✓", regressed: "✗", equivalent: "=", inconclusive: "?" };

/** The cells of a matrix at a glance: one candidate's metric, its ratio and verdict in every combination. */
export function HeatMaps({ comparison }: { comparison: Comparison }) {
  const offered = useMemo(() => heatChoices(comparison), [comparison]);
  const [picked, setPicked] = useState<string | null>(null);
  const choice = offered.find((entry) => entry.id === picked) ?? offered[0];
  const maps = useMemo(() => (choice ? heatMaps(comparison, choice) : []), [comparison, choice]);
  if (!choice) return null;
  return (
    <section className="card" aria-labelledby="matrix-title" data-testid="matrix">
      <div className="table-tools">
        <h2 id="matrix-title">Matrix</h2>
        <select
          className="input"
          style={{ width: "auto", maxWidth: "100%" }}
          aria-label="Metric of the matrix"
          value={choice.id}
          onChange={(event) => setPicked(event.target.value)}
        >
          {offered.map((entry) => (
            <option key={entry.id} value={entry.id}>
              {words(entry)}
            </option>
          ))}
        </select>
      </div>
      <div className="heat-maps">
        {maps.map((map) => (
          <Picture key={map.label} map={map} title={words(choice)} />
        ))}
      </div>
      <p className="small soft">
        Each cell is candidate / baseline: ✓ improved, ✗ regressed, = equivalent, ? inconclusive. The tint is full at a
        factor of two.
      </p>
    </section>
  );
}

function words(choice: HeatChoice): string {
  return [choice.name, choice.variant, choice.where].filter(Boolean).join(" · ");
}

function Picture({ map, title }: { map: HeatMap; title: string }) {
  return (
    <Scroll label={`${title} ${map.label}`}>
      <table className="heat">
        <caption className="small">
          {map.label && <strong>{map.label} </strong>}
          <span className="soft">
            {map.columnKey} across{map.rowKey ? `, ${map.rowKey} down` : ""}
          </span>
        </caption>
        <thead>
          <tr>
            <td />
            {map.columns.map((column) => (
              <th key={String(column)} scope="col">
                {String(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {map.cells.map((row, index) => (
            <tr key={String(map.rows[index])}>
              <th scope="row">{String(map.rows[index])}</th>
              {row.map((cell) => (
                <Cell key={String(cell.column)} cell={cell} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Cell({ cell }: { cell: HeatCell }) {
  const { metric } = cell;
  if (!metric) return <td className="hole">–</td>;
  const tint = Math.round(15 + 55 * strength(metric.ratio));
  return (
    <td
      className={metric.verdict}
      style={{ "--tint": `${tint}%` } as React.CSSProperties}
      title={`${metric.verdict}: ${metric.reason}`}
    >
      <span className="hidden-text">{metric.verdict} </span>
      <span aria-hidden="true">{SIGNS[metric.verdict]}</span>{" "}
      {metric.ratio === null ? "–" : significant(metric.ratio, 3)}
    </td>
  );
}
