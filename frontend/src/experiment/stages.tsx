import { useMemo } from "react";

import type { StageShare } from "../api/types";
import { type StageTable, stageTables } from "../logic/stages";
import { formatValue } from "../logic/units";
import { Swatch, variantColour } from "../ui/marks";

/** Where the time of an I/O went, the variants side by side. */
export function Stages({ stages, variants }: { stages: readonly StageShare[]; variants: readonly string[] }) {
  const tables = useMemo(() => stageTables(stages, variants), [stages, variants]);
  return (
    <section className="card" aria-labelledby="stages-title" data-testid="stages">
      <h2 id="stages-title">Where the time went</h2>
      <div className="two">
        {tables.map((table) => (
          <Direction key={table.id} table={table} variants={variants} />
        ))}
      </div>
    </section>
  );
}

function Direction({ table, variants }: { table: StageTable; variants: readonly string[] }) {
  return (
    <div className="stages">
      <h3>
        {table.direction} <span className="soft small">mean of one I/O</span>
      </h3>
      {table.rows.map((row) => (
        <div key={row.name} className="stage">
          <div>
            <strong>{row.name}</strong>
            <div className="soft">{row.meaning}</div>
          </div>
          <ul className="pairs">
            {row.means.map((mean, index) => (
              <li
                key={variants[index]}
                className="one"
                style={{ "--swatch": variantColour(index) } as React.CSSProperties}
              >
                <i style={{ width: `${((mean ?? 0) / table.longest) * 100}%` }} />
                <span className="number">
                  <span className="hidden-text">{variants[index]}: </span>
                  {mean === null ? "–" : formatValue(mean, "ns")}
                </span>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <p className="small row">
        <span className="soft">together</span>
        {variants.map((variant, index) => (
          <span key={variant} className="nowrap">
            <Swatch index={index} />
            {variant} <strong>{formatValue(table.totals[index] ?? 0, "ns")}</strong>
          </span>
        ))}
      </p>
      {table.empty.length > 0 && <p className="small soft">No time in {table.empty.join(", ")}.</p>}
    </div>
  );
}
