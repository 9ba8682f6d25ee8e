import type { ReportClaim } from "../api/types";
import { significant } from "../logic/units";
import { Scroll } from "../ui/scroll";
import { Line } from "./line";

/** What the author says in words, beside what the figures say. */
export function Claims({ claims, go }: { claims: readonly ReportClaim[]; go: (line: number) => void }) {
  return (
    <section className="card" aria-labelledby="claims-title">
      <h2 id="claims-title">What the author says</h2>
      <Scroll label="Claims">
        <table className="data">
          <thead>
            <tr>
              <th scope="col">claim</th>
              <th scope="col">the figures say</th>
              <th scope="col">borne out</th>
              <th scope="col" className="number">
                line
              </th>
            </tr>
          </thead>
          <tbody>
            {claims.map((claim) => (
              <tr key={`${claim.line} ${claim.text} ${claim.value}`}>
                <td className="wrap">{claim.text}</td>
                <td>
                  {claim.computed_percent === null ? (
                    <span className="soft">–</span>
                  ) : (
                    <>
                      {signed(claim.computed_percent)} % <span className="soft">{claim.metric}</span>
                    </>
                  )}
                </td>
                <td>
                  {claim.agrees === null ? (
                    <span className="soft">not checked</span>
                  ) : claim.agrees ? (
                    "yes"
                  ) : (
                    <strong>no</strong>
                  )}
                </td>
                <td className="number">
                  <Line number={claim.line} go={go} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

function signed(percent: number): string {
  return `${percent < 0 ? "−" : "+"}${significant(Math.abs(percent), 3)}`;
}
