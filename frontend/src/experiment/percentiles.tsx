import type { LatencyCurve, QuantileShifts } from "../api/types";
import { percentileRows, shiftOf } from "../logic/percentiles";
import { formatCount, formatRatio, formatValue, significant } from "../logic/units";
import { Swatch } from "../ui/marks";
import { Scroll } from "../ui/scroll";

/** The percentiles of the merged latencies side by side; of two variants also how each moved, with its 95 % band. */
export function Percentiles({
  curves,
  quantiles,
  variants,
}: {
  curves: readonly LatencyCurve[];
  quantiles: readonly QuantileShifts[];
  variants: readonly string[];
}) {
  const rows = percentileRows(curves);
  const two = curves.length === 2 ? curves[1] : undefined;
  return (
    <Scroll label="Percentiles">
      <table className="data">
        <caption className="hidden-text">Percentiles of the merged latencies</caption>
        <thead>
          <tr>
            <th scope="col">all runs merged</th>
            {curves.map((curve) => (
              <th key={curve.variant} scope="col" className="number">
                <Swatch index={variants.indexOf(curve.variant)} />
                {curve.variant}
              </th>
            ))}
            {two && (
              <th scope="col" className="number">
                ratio, 95 % band
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.label}>
              <th scope="row">{row.label}</th>
              {row.values.map((value, index) => (
                <td key={index} className="number">
                  {value === null ? "–" : formatValue(value, "ns")}
                </td>
              ))}
              {two && (
                <td className="number">
                  <Moved values={row.values} shift={shiftOf(quantiles, two, row.percent)} />
                </td>
              )}
            </tr>
          ))}
          <tr>
            <th scope="row" className="soft">
              I/Os
            </th>
            {curves.map((curve) => (
              <td key={curve.variant} className="number soft">
                {formatCount(curve.count)}
              </td>
            ))}
            {two && <td />}
          </tr>
        </tbody>
      </table>
    </Scroll>
  );
}

function Moved({ values, shift }: { values: readonly (number | null)[]; shift: ReturnType<typeof shiftOf> }) {
  const [before, after] = values;
  if (!before || after === null || after === undefined) return <span className="soft">–</span>;
  return (
    <>
      {formatRatio(after / before)}
      <div className="soft small">
        {shift?.band95
          ? `${significant(shift.band95[0] ?? 0)} – ${significant(shift.band95[1] ?? 0)}`
          : (shift?.reason ?? "")}
      </div>
    </>
  );
}
