import { isRecord } from "./definition";

/** One line of a table with a column a variant. */
export interface Fact {
  name: string;
  values: string[];
  differs: boolean;
}

/** Lay nested values out as dotted names, a column a variant, those that differ first. */
export function facts(byVariant: Record<string, unknown>, variants: readonly string[]): Fact[] {
  const columns = variants.map((variant) => flattened(byVariant[variant]));
  const names = [...new Set(columns.flatMap((column) => [...column.keys()]))];
  const lines = names.map((name): Fact => {
    const values = columns.map((column) => column.get(name) ?? "–");
    return { name, values, differs: new Set(values).size > 1 };
  });
  return lines.sort((a, b) => Number(b.differs) - Number(a.differs));
}

function flattened(value: unknown, prefix = ""): Map<string, string> {
  const found = new Map<string, string>();
  if (!isRecord(value)) return found;
  for (const [key, entry] of Object.entries(value)) {
    const name = prefix ? `${prefix}.${key}` : key;
    if (isRecord(entry)) for (const pair of flattened(entry, name)) found.set(...pair);
    else found.set(name, Array.isArray(entry) ? entry.map(String).join(", ") : String(entry));
  }
  return found;
}
