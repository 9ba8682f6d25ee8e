import type { StageShare } from "../api/types";
import { groupLabel } from "./comparison";

/** One stage with the mean time that each variant spent in it; null where a variant has none. */
export interface StageRow {
  name: string;
  meaning: string;
  means: (number | null)[];
}

/** The stages of one direction (read, write, …) in one group. */
export interface StageTable {
  id: string;
  direction: string;
  rows: StageRow[];
  /** Stages in which no variant spent any time. */
  empty: string[];
  /** Sums of the means, a variant each. */
  totals: number[];
  longest: number;
}

/** Pair the stages of all variants by direction and group, in the order of the I/O's way. */
export function stageTables(stages: readonly StageShare[], variants: readonly string[]): StageTable[] {
  const tables = new Map<string, Map<string, StageRow>>();
  for (const stage of stages) {
    const [direction, name] = split(stage.name);
    const id = `${direction} ${groupLabel(stage.group)}`.trim();
    const rows = tables.get(id) ?? new Map<string, StageRow>();
    tables.set(id, rows);
    const row = rows.get(name) ?? { name, meaning: stage.meaning, means: variants.map(() => null) };
    rows.set(name, row);
    const place = variants.indexOf(stage.variant);
    if (place >= 0 && stage.count > 0) row.means[place] = stage.mean_ns;
  }
  return [...tables].map(([id, rows]) => {
    const all = [...rows.values()];
    const spent = all.filter((row) => row.means.some((mean) => mean !== null && mean > 0));
    return {
      id,
      direction: id,
      rows: spent,
      empty: all.filter((row) => !spent.includes(row)).map((row) => row.name),
      totals: variants.map((_, place) => spent.reduce((sum, row) => sum + (row.means[place] ?? 0), 0)),
      longest: Math.max(1, ...spent.flatMap((row) => row.means.map((mean) => mean ?? 0))),
    };
  });
}

function split(name: string): [string, string] {
  const dot = name.indexOf(".");
  return dot < 0 ? ["", name] : [name.slice(0, dot), name.slice(dot + 1)];
}
