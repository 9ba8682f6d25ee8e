import type { LatencyCurve } from "../api/types";

/** One line of the percentile table: a latency for each curve. */
export interface PercentileRow {
  label: string;
  values: (number | null)[];
}

/**
 * The percentiles of several curves side by side, then their means. The 100th is the largest latency itself, not the
 * value of its bin.
 */
export function percentileRows(curves: readonly LatencyCurve[]): PercentileRow[] {
  const percents = [...new Set(curves.flatMap((curve) => Object.keys(curve.percentiles)))].sort(
    (a, b) => Number(a) - Number(b),
  );
  const rows = percents.map((percent): PercentileRow => {
    const whole = Number(percent) === 100;
    return {
      label: whole ? "max" : `p${percent}`,
      values: curves.map((curve) => (whole ? curve.max_ns : (curve.percentiles[percent] ?? null))),
    };
  });
  return [...rows, { label: "mean", values: curves.map((curve) => (curve.count > 0 ? curve.mean_ns : null)) }];
}

/** A share as per cent, all of an axis in one unit: 0.001 is `0.1 %`. */
export function shareWords(share: number): string {
  const percent = share * 100;
  const decimals = percent > 0 && percent < 1 ? Math.ceil(-Math.log10(percent) - 1e-9) : 0;
  return `${Number(percent.toFixed(decimals + 1)).toFixed(decimals)} %`;
}
