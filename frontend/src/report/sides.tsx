import { useState } from "react";

import type { ReportPairing } from "../api/types";
import { asBaseline, moved, nothingCompared, sameSides } from "../logic/pairing";
import { type Report, useChangeReport } from "../queries/reports";
import { Fault } from "../ui/feedback";
import { Scroll } from "../ui/scroll";

/** Which label was taken for which side, by which rule; and the reader's own choice instead. */
export function Sides({ report, pairing }: { report: Report; pairing: ReportPairing }) {
  const [draft, setDraft] = useState(pairing);
  const change = useChangeReport(report.id);
  const changed = draft.baseline !== pairing.baseline || !sameSides(draft.sides, pairing.sides);
  const problem = nothingCompared(draft);
  return (
    <details className="card" open={report.comparison === null} data-testid="sides">
      <summary>
        <strong>Sides</strong> <span className="soft">{pairing.rule}</span>
      </summary>
      <Scroll label="Sides">
        <table className="data" style={{ marginTop: "var(--s3)" }}>
          <thead>
            <tr>
              <th scope="col">label in the text</th>
              <th scope="col">baseline</th>
              <th scope="col">is a run of the variant</th>
            </tr>
          </thead>
          <tbody>
            {draft.sides.map((side) => (
              <tr key={side.label}>
                <th scope="row">
                  {side.label}
                  {side.setup ? <span className="soft"> · {side.setup}</span> : null}
                </th>
                <td>
                  <input
                    type="radio"
                    name="baseline"
                    aria-label={`${side.label} is the baseline`}
                    checked={side.variant === draft.baseline}
                    onChange={() => setDraft(asBaseline(draft, side.label))}
                  />
                </td>
                <td>
                  <input
                    className="input"
                    aria-label={`Variant of ${side.label}`}
                    placeholder="left out"
                    value={side.variant ?? ""}
                    onChange={(event) => setDraft(moved(draft, side.label, event.target.value || null))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p className="small soft">Labels with one variant name are its runs; an empty name leaves a label out.</p>
      <p className="row">
        <button
          type="button"
          className="button primary"
          disabled={!changed || problem !== null || change.isPending}
          onClick={() => change.mutate({ pairing: { ...draft, rule: "" } })}
        >
          Compare these
        </button>
        <button
          type="button"
          className="button"
          disabled={change.isPending}
          onClick={() =>
            change.mutate({ pairing: null }, { onSuccess: (back) => back.pairing && setDraft(back.pairing) })
          }
        >
          Back to the rule
        </button>
        {problem && <span className="soft small">{problem}</span>}
      </p>
      {change.isError && <Fault error={change.error} />}
    </details>
  );
}
