import { useMemo } from "react";

import type { Evidence } from "../api/types";
import { facts, type Fact } from "../logic/environment";
import { formatCount, significant } from "../logic/units";
import { Scroll } from "../ui/scroll";

/** What ran, by variant, and what it counted on the way. */
export function Environment({ evidence, variants }: { evidence: Evidence; variants: readonly string[] }) {
  const settings = useMemo(() => facts(evidence.environment, variants), [evidence.environment, variants]);
  const counters = useMemo(
    () => facts(evidence.counters, variants).sort((a, b) => (a.name < b.name ? -1 : 1)),
    [evidence.counters, variants],
  );
  return (
    <section className="card stack" aria-labelledby="environment-title">
      <h2 id="environment-title">Environment and counters</h2>
      <div className="two">
        <FactTable title="environment" lines={settings} variants={variants} format={(value) => value} />
        {counters.length > 0 && (
          <FactTable title="counter, mean of the runs" lines={counters} variants={variants} format={counted} />
        )}
      </div>
    </section>
  );
}

function counted(text: string): string {
  const value = Number(text);
  if (!Number.isFinite(value)) return text;
  return Math.abs(value) >= 1000 || Number.isInteger(value) ? formatCount(value) : significant(value);
}

function FactTable({
  title,
  lines,
  variants,
  format,
}: {
  title: string;
  lines: readonly Fact[];
  variants: readonly string[];
  format: (value: string) => string;
}) {
  if (lines.length === 0) return <p className="soft">Nothing was recorded.</p>;
  return (
    <Scroll label={title}>
      <table className="data">
        <thead>
          <tr>
            <th scope="col">{title}</th>
            {variants.map((variant) => (
              <th key={variant} scope="col" className="number">
                {variant}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.name}>
              <th scope="row" className="mono" style={{ fontWeight: line.differs ? 700 : 400 }}>
                {line.name}
                {line.differs && <span className="hidden-text"> (differs)</span>}
              </th>
              {line.values.map((value, index) => (
                <td key={index} className="number" style={{ fontWeight: line.differs ? 700 : 400 }}>
                  {format(value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
