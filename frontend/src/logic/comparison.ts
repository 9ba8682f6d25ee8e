import type { Comparison, Group, MetricComparison } from "../api/types";

/** One line of the comparison table. */
export interface Row {
  id: string;
  metric: MetricComparison;
}

/** The lines of one candidate in one group. */
export interface Section {
  id: string;
  variant: string;
  label: string;
  rows: Row[];
  hidden: number;
}

export type Show = "all" | "changed" | "primary";

/** A group as people read it; empty for the group of everything. */
export function groupLabel(group: Record<string, unknown> | Group): string {
  const entries = Object.entries(group as Record<string, unknown>).flatMap(([name, value]) =>
    name === "cell" && typeof value === "object" && value !== null
      ? Object.entries(value as Record<string, unknown>)
      : [[name, value] as [string, unknown]],
  );
  return entries
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(" ");
}

/** The table's sections: primary rows first, then in the order measured; `words` must all be in the metric's name. */
export function sections(comparison: Comparison, show: Show, words: string): Section[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return comparison.candidates.map((candidate, index) => {
    const label = groupLabel(candidate.group);
    const rows = [...candidate.metrics]
      .sort((a, b) => Number(b.primary) - Number(a.primary))
      .filter((metric) => isShown(metric, show))
      .filter((metric) => wanted.every((word) => `${metric.name} ${metric.verdict}`.toLowerCase().includes(word)))
      .map((metric) => ({ id: `${index}/${metric.name}`, metric }));
    return {
      id: String(index),
      variant: candidate.variant,
      label,
      rows,
      hidden: candidate.metrics.length - rows.length,
    };
  });
}

function isShown(metric: MetricComparison, show: Show): boolean {
  if (show === "primary") return metric.primary;
  if (show === "changed") return metric.primary || metric.verdict === "improved" || metric.verdict === "regressed";
  return true;
}

/** The furthest that the interval bars of a section reach from 1, as a natural logarithm; at most a factor of four. */
export function barReach(rows: readonly Row[], thresholdPercent: number): number {
  const least = 2 * Math.log1p(thresholdPercent / 100);
  let reach = least;
  for (const { metric } of rows) {
    for (const ratio of [metric.ratio, ...(metric.ci95 ?? [])]) {
      if (typeof ratio === "number" && ratio > 0) reach = Math.max(reach, Math.abs(Math.log(ratio)));
    }
  }
  return Math.min(reach * 1.05, Math.log(4));
}

/** Where a ratio stands on a bar from 0 to 1, and whether it lies beyond an end. */
export function barPosition(ratio: number, reach: number): { at: number; beyond: -1 | 0 | 1 } {
  const at = 0.5 + Math.log(ratio) / (2 * reach);
  if (at < 0) return { at: 0, beyond: -1 };
  if (at > 1) return { at: 1, beyond: 1 };
  return { at, beyond: 0 };
}
