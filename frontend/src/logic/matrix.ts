import type { Comparison, MetricComparison } from "../api/types";

type Scalar = string | number | boolean;

/** One cell of a heat map: what a candidate's metric is there; null where it was not measured. */
export interface HeatCell {
  row: Scalar;
  column: Scalar;
  metric: MetricComparison | null;
}

/** One picture: two keys of the matrix across and down, all others fixed as `label` says. */
export interface HeatMap {
  label: string;
  columnKey: string;
  rowKey: string | null;
  columns: Scalar[];
  rows: Scalar[];
  cells: HeatCell[][];
}

/** What can be looked at: a candidate's metric (in one job, on one runner), wherever the matrix has it. */
export interface HeatChoice {
  id: string;
  variant: string;
  name: string;
  where: string;
}

const NO_ROW = "";

/** The candidate and metric pairs of a matrix comparison, those that decide first. */
export function heatChoices(comparison: Comparison): HeatChoice[] {
  const found = new Map<string, HeatChoice & { primary: boolean }>();
  for (const candidate of comparison.candidates) {
    if (!candidate.group.cell) continue;
    for (const metric of candidate.metrics) {
      const where = placeOf(candidate.group);
      const id = JSON.stringify([candidate.variant, metric.name, where]);
      if (!found.has(id)) {
        found.set(id, { id, variant: candidate.variant, name: metric.name, where, primary: metric.primary });
      }
    }
  }
  return [...found.values()]
    .sort((a, b) => Number(b.primary) - Number(a.primary))
    .map(({ id, variant, name, where }) => ({ id, variant, name, where }));
}

/** The pictures of one choice: the two longest keys span them, each value of the others has its own. */
export function heatMaps(comparison: Comparison, choice: HeatChoice): HeatMap[] {
  const entries = comparison.candidates.flatMap((candidate) => {
    const metric = candidate.metrics.find((row) => row.name === choice.name);
    return candidate.variant === choice.variant && candidate.group.cell && placeOf(candidate.group) === choice.where
      ? [{ cell: candidate.group.cell as Record<string, Scalar>, metric: metric ?? null }]
      : [];
  });
  const keys = [...new Set(entries.flatMap((entry) => Object.keys(entry.cell)))];
  const values = new Map(keys.map((key) => [key, distinct(entries.map((entry) => entry.cell[key]))]));
  const [columnKey, rowKey, ...fixed] = [...keys].sort((a, b) => length(values, b) - length(values, a));
  if (columnKey === undefined) return [];
  const pictures = new Map<string, typeof entries>();
  for (const entry of entries) {
    const label = fixed.map((key) => `${key}=${String(entry.cell[key])}`).join(" ");
    pictures.set(label, [...(pictures.get(label) ?? []), entry]);
  }
  const columns = values.get(columnKey) ?? [];
  const rows = rowKey === undefined ? [NO_ROW] : (values.get(rowKey) ?? []);
  return [...pictures].map(([label, members]) => {
    const at = new Map(
      members.map((entry) => [place(rowKey === undefined ? NO_ROW : entry.cell[rowKey], entry.cell[columnKey]), entry]),
    );
    return {
      label,
      columnKey,
      rowKey: rowKey ?? null,
      columns,
      rows,
      cells: rows.map((row) =>
        columns.map((column) => ({ row, column, metric: at.get(place(row, column))?.metric ?? null })),
      ),
    };
  });
}

/** How strongly a cell is tinted, from 0 to 1: a factor of `full` either way is all there is. */
export function strength(ratio: number | null, full = 2): number {
  if (ratio === null || ratio <= 0) return 0;
  return Math.min(1, Math.abs(Math.log(ratio)) / Math.log(full));
}

function placeOf(group: Comparison["candidates"][number]["group"]): string {
  return [group.job ? `job=${group.job}` : "", group.runner ?? "", group.copies ? `copies=${group.copies}` : ""]
    .filter(Boolean)
    .join(" ");
}

function length(values: ReadonlyMap<string, readonly unknown[]>, key: string): number {
  return values.get(key)?.length ?? 0;
}

function distinct(values: readonly (Scalar | undefined)[]): Scalar[] {
  return [...new Set(values.filter((value): value is Scalar => value !== undefined))];
}

function place(row: Scalar | undefined, column: Scalar | undefined): string {
  return JSON.stringify([row, column]);
}
