import type { Comparison, MetricComparison, SeedDifference } from "../api/types";
import { formatChange, formatRatio, formatValue, significant } from "../logic/units";
import { Scroll } from "../ui/scroll";

const SEEDS_SHOWN = 40;

/** Why a row's verdict is what it is: the sentence, both sides' statistics, and each seed's pair. */
export function Reasons({
  metric,
  baseline,
  candidate,
  order,
}: {
  metric: MetricComparison;
  baseline: string;
  candidate: string;
  order: Comparison["order"];
}) {
  return (
    <div className="stack" style={{ gap: "var(--s3)" }}>
      <p>{metric.reason}</p>
      <dl className="facts">
        <Fact name={order === "interleaved" ? "pairs" : "runs a side"}>{metric.n}</Fact>
        {metric.ratio !== null && <Fact name="change">{formatChange(metric.ratio)}</Fact>}
        <Fact name="ratio of">{metric.estimator === "medians" ? "medians" : "pairs (Hodges–Lehmann)"}</Fact>
        {metric.p_value !== null && <Fact name="p">{significant(metric.p_value, 3)}</Fact>}
        {metric.p_adjusted !== null && (
          <Fact name={metric.primary ? "p, Holm" : "false-discovery rate"}>{significant(metric.p_adjusted, 3)}</Fact>
        )}
        {metric.detectable_percent !== null && (
          <Fact name="detectable change">{significant(metric.detectable_percent, 3)} %</Fact>
        )}
        {metric.more_pairs ? <Fact name="would settle it">about {metric.more_pairs} more</Fact> : null}
        <Fact name="better">{metric.better ?? "not known"}</Fact>
      </dl>
      <div className="reasons-tables">
        <Sides metric={metric} baseline={baseline} candidate={candidate} />
        {metric.seeds && metric.seeds.length > 0 && (
          <Seeds metric={metric} seeds={metric.seeds} baseline={baseline} candidate={candidate} />
        )}
      </div>
      {metric.seeds && metric.seeds.length > SEEDS_SHOWN && (
        <p className="soft">The CSV has all {metric.seeds.length} seeds.</p>
      )}
    </div>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <strong>{children}</strong>
      </dd>
    </div>
  );
}

interface Measured {
  metric: MetricComparison;
  baseline: string;
  candidate: string;
}

function worded(value: number | null | undefined, unit: string): string {
  return value === null || value === undefined ? "–" : formatValue(value, unit);
}

function Sides({ metric, baseline, candidate }: Measured) {
  return (
    <Scroll label="Both sides">
      <table className="data">
        <thead>
          <tr>
            <th scope="col">side</th>
            {["n", "median", "mean", "stdev", "min", "max"].map((name) => (
              <th key={name} scope="col" className="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(
            [
              [baseline, metric.baseline],
              [candidate, metric.candidate],
            ] as const
          ).map(([name, side]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="number">{side.n}</td>
              {[side.median, side.mean, side.stdev, side.min, side.max].map((entry, index) => (
                <td key={index} className="number">
                  {worded(entry, metric.unit)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Seeds({ metric, seeds, baseline, candidate }: Measured & { seeds: readonly SeedDifference[] }) {
  return (
    <Scroll label="Every seed">
      <table className="data">
        <thead>
          <tr>
            <th scope="col" className="number">
              seed
            </th>
            <th scope="col" className="number">
              {baseline}
            </th>
            <th scope="col" className="number">
              {candidate}
            </th>
            <th scope="col" className="number">
              ratio
            </th>
          </tr>
        </thead>
        <tbody>
          {seeds.slice(0, SEEDS_SHOWN).map((seed, index) => (
            <tr key={index}>
              <td className="number">{seed.seed ?? "–"}</td>
              <td className="number">{worded(seed.baseline, metric.unit)}</td>
              <td className="number">{worded(seed.candidate, metric.unit)}</td>
              <td className="number">{seed.ratio === null ? "–" : formatRatio(seed.ratio)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
