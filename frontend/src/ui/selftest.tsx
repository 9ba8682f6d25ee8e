import type { Selftest } from "../api/types";
import { significant } from "../logic/units";
import { Scroll } from "./scroll";

/** The simulator beside the closed forms of theory: what it is worth where the right answer is known. */
export function SelftestTable({ selftest }: { selftest: Selftest }) {
  const held = selftest.rows.filter((row) => row.holds).length;
  return (
    <section className="card stack" id="selftest" aria-labelledby="selftest-title">
      <div>
        <h2 id="selftest-title">The simulator against closed forms</h2>
        <p className="small soft">
          {held} of {selftest.rows.length} hold. Each runs through the same engine, tags, elevators and devices as a
          job; <code>lodestone selftest</code> runs them here, with the same figures.
        </p>
      </div>
      <details>
        <summary>Every row</summary>
        <Scroll label="The simulator against closed forms">
          <table className="data">
            <thead>
              <tr>
                <th scope="col">law</th>
                <th scope="col">case</th>
                <th scope="col">formula</th>
                <th scope="col" className="number">
                  expected
                </th>
                <th scope="col" className="number">
                  simulated
                </th>
                <th scope="col" className="number">
                  off by
                </th>
                <th scope="col" className="number">
                  within
                </th>
                <th scope="col">holds</th>
              </tr>
            </thead>
            <tbody>
              {selftest.rows.map((row) => (
                <tr key={`${row.law} ${row.case}`}>
                  <th scope="row">{row.law}</th>
                  <td>{row.case}</td>
                  <td className="mono small">{row.formula}</td>
                  <td className="number">{`${significant(row.expected, 5)} ${row.unit}`.trim()}</td>
                  <td className="number">{significant(row.simulated, 5)}</td>
                  <td className="number">{(row.difference * 100).toFixed(2)} %</td>
                  <td className="number">{(row.tolerance * 100).toFixed(1)} %</td>
                  <td>{row.holds ? "yes" : <strong>no</strong>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      </details>
    </section>
  );
}
