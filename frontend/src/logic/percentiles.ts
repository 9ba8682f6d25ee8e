import type { LatencyCurve, QuantileShifts } from "../api/types";
import { groupLabel } from "./comparison";

/** One line of the percentile table: a latency for each curve. */
export interface PercentileRow {
  label: string;
  /** The percentile, null for the mean. */
  percent: number | null;
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
      percent: Number(percent),
      values: curves.map((curve) => (whole ? curve.max_ns : (curve.percentiles[percent] ?? null))),
    };
  });
  return [
    ...rows,
    { label: "mean", percent: null, values: curves.map((curve) => (curve.count > 0 ? curve.mean_ns : null)) },
  ];
}

/** How a percentile of one curve moved against the baseline's, where the server has computed it. */
export function shiftOf(quantiles: readonly QuantileShifts[], curve: LatencyCurve, percent: number | null) {
  const found = quantiles.find(
    (entry) =>
      entry.variant === curve.variant &&
      entry.name === curve.name &&
      groupLabel(entry.group) === groupLabel(curve.group),
  );
  return found?.shifts.find((shift) => shift.percent === percent);
}

/** A share as per cent, all of an axis in one unit: 0.001 is `0.1 %`. */
export function shareWords(share: number): string {
  const percent = share * 100;
  const decimals = percent > 0 && percent < 1 ? Math.ceil(-Math.log10(percent) - 1e-9) : 0;
  return `${Number(percent.toFixed(decimals + 1)).toFixed(decimals)} %`;
}
