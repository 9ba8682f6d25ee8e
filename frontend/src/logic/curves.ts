import type { LatencyCurve, SeriesBand } from "../api/types";
import { groupLabel } from "./comparison";

/** Columns for a plot: the shared x, then one column a line; null is a gap. */
export type Columns = [number[], ...(number | null)[][]];

/** What of an evidence list can be chosen together: a name in a group. */
export interface Choice {
  id: string;
  name: string;
  group: string;
}

/** The distinct (name, group) pairs of curves or bands, in their order. */
export function choices(items: readonly { name: string; group: Record<string, unknown> }[]): Choice[] {
  const found = new Map<string, Choice>();
  for (const item of items) {
    const group = groupLabel(item.group);
    const id = `${item.name} ${group}`.trim();
    if (!found.has(id)) found.set(id, { id, name: item.name, group });
  }
  return [...found.values()];
}

/** The members of one choice. */
export function chosen<T extends { name: string; group: Record<string, unknown> }>(
  items: readonly T[],
  choice: Choice | undefined,
): T[] {
  if (!choice) return [];
  return items.filter((item) => item.name === choice.name && groupLabel(item.group) === choice.group);
}

/**
 * The cumulative distributions of several variants over one shared latency axis (ns): each is a step function, 0
 * before its first bin, constant between its bins, and null after its last.
 */
export function distribution(curves: readonly LatencyCurve[]): Columns {
  return stepped(curves, 0, (share) => share);
}

/** The same as the share of I/Os that took longer, for a logarithmic axis: null where none did. */
export function tail(curves: readonly LatencyCurve[]): Columns {
  return stepped(curves, 1, (share) => {
    const longer = 1 - share;
    return longer > 1e-12 ? longer : null;
  });
}

const AHEAD = 0.95;

function stepped(curves: readonly LatencyCurve[], before: number, value: (share: number) => number | null): Columns {
  const x = [...new Set(curves.flatMap((curve) => curve.curve.map((point) => positive(point[0]))))].sort(
    (a, b) => a - b,
  );
  // a point ahead of all others, so that the first step is seen to be one
  if (x[0] !== undefined) x.unshift(x[0] * AHEAD);
  const columns = curves.map((curve) => {
    let at = 0;
    let share: number | null = null;
    return x.map((latency) => {
      while (at < curve.curve.length && positive(curve.curve[at]?.[0] ?? 0) <= latency) {
        share = curve.curve[at]?.[1] ?? share;
        at += 1;
      }
      if (at === curve.curve.length && latency > positive(curve.curve.at(-1)?.[0] ?? 0)) return null;
      return share === null ? before : value(share);
    });
  });
  return [x, ...columns];
}

// a logarithmic axis has no zero; fio's bins are whole nanoseconds
function positive(latency: number): number {
  return Math.max(1, latency);
}

/**
 * Bands over one shared time axis (s): for each band its mean, low and high. A value covers its interval and stands
 * at the interval's end, where it is known; bands of different intervals leave gaps.
 */
export function overTime(bands: readonly SeriesBand[]): Columns {
  const ends = bands.map((band) => band.mean.map((_, index) => ((index + 1) * band.interval_ns) / 1e9));
  const x = [...new Set(ends.flat())].sort((a, b) => a - b);
  const columns = bands.flatMap((band, number) => {
    const place = new Map((ends[number] ?? []).map((end, index) => [end, index]));
    return [band.mean, band.low, band.high].map((values) =>
      x.map((end) => {
        const index = place.get(end);
        return index === undefined ? null : (values[index] ?? null);
      }),
    );
  });
  return [x, ...columns];
}

/** The largest tail resolution of the curves: one I/O of the largest count, as a power of ten. */
export function tailFloor(curves: readonly LatencyCurve[]): number {
  const count = Math.max(10, ...curves.map((curve) => curve.count));
  return 10 ** -Math.ceil(Math.log10(count));
}

/** The curve that readers look for first: completion latency, reads before writes. */
export function preferred(available: readonly Choice[], order: readonly string[]): Choice | undefined {
  for (const name of order) {
    const found = available.find((choice) => choice.name === name);
    if (found) return found;
  }
  return available[0];
}

/** Whether several lines are one and the same, so that only the last drawn is seen. */
export function coincide(lines: readonly (readonly unknown[])[]): boolean {
  const [first, ...others] = lines.map((line) => JSON.stringify(line));
  return others.length > 0 && others.every((line) => line === first);
}
