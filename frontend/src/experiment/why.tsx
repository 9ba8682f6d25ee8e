import type { Why } from "../api/types";
import { groupLabel } from "../logic/comparison";
import { formatValue, significant } from "../logic/units";
import { Scroll } from "../ui/scroll";

const SHOWN = 6;

/** Why beside how much: the stages that make the change, and the counters that moved with it. */
export function WhyIt({ why }: { why: readonly Why[] }) {
  return (
    <section className="card" aria-labelledby="why-title" data-testid="why">
      <h2 id="why-title">Why</h2>
      <ul className="stack">
        {why.slice(0, SHOWN).map((entry) => (
          <li key={`${entry.variant} ${entry.direction} ${groupLabel(entry.group)}`}>
            <p>
              <strong>{[entry.variant, groupLabel(entry.group)].filter(Boolean).join(" · ")}</strong>: {entry.sentence}.
            </p>
            <details className="small">
              <summary>Every stage{entry.counters.length > 0 ? " and counter" : ""}</summary>
              <Stages entry={entry} />
              {entry.counters.length > 0 && <Counters entry={entry} />}
            </details>
          </li>
        ))}
      </ul>
      {why.length > SHOWN && <p className="soft small">{why.length - SHOWN} more are in the comparison&apos;s JSON.</p>}
    </section>
  );
}

function Stages({ entry }: { entry: Why }) {
  return (
    <Scroll label="Stages">
      <table className="data">
        <thead>
          <tr>
            <th scope="col">stage</th>
            <th scope="col" className="number">
              before
            </th>
            <th scope="col" className="number">
              after
            </th>
            <th scope="col" className="number">
              change
            </th>
            <th scope="col" className="number">
              of the whole
            </th>
          </tr>
        </thead>
        <tbody>
          {entry.stages.map((stage) => (
            <tr key={stage.name}>
              <th scope="row">
                {stage.name} <span className="soft">{stage.meaning}</span>
              </th>
              <td className="number">{formatValue(stage.baseline_ns, "ns")}</td>
              <td className="number">{formatValue(stage.candidate_ns, "ns")}</td>
              <td className="number">{signed(stage.change_ns)}</td>
              <td className="number">{stage.share === null ? "–" : `${Math.round(stage.share * 100)} %`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Counters({ entry }: { entry: Why }) {
  return (
    <Scroll label="Counters">
      <table className="data">
        <thead>
          <tr>
            <th scope="col">counter, mean of the runs</th>
            <th scope="col" className="number">
              before
            </th>
            <th scope="col" className="number">
              after
            </th>
          </tr>
        </thead>
        <tbody>
          {entry.counters.map((counter) => (
            <tr key={counter.name}>
              <th scope="row">{counter.name}</th>
              <td className="number">{figure(counter.name, counter.baseline)}</td>
              <td className="number">{figure(counter.name, counter.candidate)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function figure(name: string, value: number): string {
  return name.endsWith("_ns") ? formatValue(value, "ns") : significant(value);
}

function signed(change: number): string {
  return `${change < 0 ? "−" : "+"}${formatValue(Math.abs(change), "ns")}`;
}
