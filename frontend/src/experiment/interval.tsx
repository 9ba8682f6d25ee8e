import type { MetricComparison } from "../api/types";
import { barPosition } from "../logic/comparison";
import { formatRatio, significant } from "../logic/units";

const WIDTH = 200;
const HEIGHT = 20;

/**
 * The ratio with its 95 % interval on an axis of log ratio, 1 in the middle; the shaded stretch is the threshold, and
 * an arrow marks what lies beyond an end.
 */
export function IntervalBar({
  metric,
  reach,
  thresholdPercent,
}: {
  metric: MetricComparison;
  reach: number;
  thresholdPercent: number;
}) {
  if (metric.ratio === null || metric.ratio <= 0) return <span className="soft">–</span>;
  const point = barPosition(metric.ratio, reach);
  const [low, high] = metric.ci95 ?? [metric.ratio, metric.ratio];
  const from = barPosition(Math.max(low, Number.MIN_VALUE), reach);
  const to = barPosition(Math.max(high, Number.MIN_VALUE), reach);
  const band = [1 / (1 + thresholdPercent / 100), 1 + thresholdPercent / 100].map(
    (ratio) => barPosition(ratio, reach).at * WIDTH,
  );
  const colour = COLOURS[metric.verdict];
  const x = point.at * WIDTH;
  const middle = HEIGHT / 2;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={words(metric)}>
      <rect
        x={band[0]}
        y={1}
        width={(band[1] ?? 0) - (band[0] ?? 0)}
        height={HEIGHT - 2}
        fill="var(--line)"
        opacity={0.6}
      />
      <line
        x1={WIDTH / 2}
        x2={WIDTH / 2}
        y1={0}
        y2={HEIGHT}
        stroke="var(--line-strong)"
        vectorEffect="non-scaling-stroke"
      />
      <line
        x1={from.at * WIDTH}
        x2={to.at * WIDTH}
        y1={middle}
        y2={middle}
        stroke={colour}
        strokeWidth={5}
        opacity={0.45}
        vectorEffect="non-scaling-stroke"
      />
      {point.beyond === 0 ? (
        <line x1={x} x2={x} y1={3} y2={HEIGHT - 3} stroke={colour} strokeWidth={3} vectorEffect="non-scaling-stroke" />
      ) : (
        <path
          d={
            point.beyond > 0
              ? `M${WIDTH - 7} 4 L${WIDTH} ${middle} L${WIDTH - 7} ${HEIGHT - 4}`
              : `M7 4 L0 ${middle} L7 ${HEIGHT - 4}`
          }
          fill="none"
          stroke={colour}
          strokeWidth={3}
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  );
}

const COLOURS = {
  improved: "var(--good)",
  regressed: "var(--bad)",
  equivalent: "var(--even)",
  inconclusive: "var(--open)",
};

function words(metric: MetricComparison): string {
  const ratio = formatRatio(metric.ratio ?? 1);
  return metric.ci95
    ? `${ratio}, 95 % interval ${significant(metric.ci95[0])} to ${significant(metric.ci95[1])}`
    : ratio;
}
