import { useState } from "react";

import type { ReportWarning } from "../api/types";
import { Line } from "./line";

const SHOWN = 10;

/** What could be read in two ways, or was not read at all, each at its line. */
export function Warnings({ warnings, go }: { warnings: readonly ReportWarning[]; go: (line: number) => void }) {
  const [all, setAll] = useState(false);
  return (
    <section className="card" aria-labelledby="warnings-title">
      <h2 id="warnings-title">To be minded</h2>
      <ul className="notes">
        {warnings.slice(0, all ? undefined : SHOWN).map((warning) => (
          <li key={`${warning.line} ${warning.message}`}>
            line <Line number={warning.line} go={go} />: {warning.message}
          </li>
        ))}
      </ul>
      {!all && warnings.length > SHOWN && (
        <button type="button" className="button link" onClick={() => setAll(true)}>
          Show all {warnings.length}
        </button>
      )}
    </section>
  );
}
