import type { Scalar } from "../api/types";
import { isRecord } from "./definition";

/** One side of an experiment as the form shows it. */
export interface VariantFields {
  name: string;
  device: Record<string, Scalar>;
  /** Keys that the form does not edit: patches, mechanisms, kernel, … */
  others: string[];
}

/** What the form shows of a definition; null where the text says something that only the text can edit. */
export interface FormFields {
  title: string;
  runner: string | null;
  device: Record<string, Scalar>;
  fio: string | null;
  workload: string;
  environment: Record<string, string>;
  variants: VariantFields[];
  repeat: number | "auto" | null;
  seed: number | null;
  thresholdPercent: number | null;
  order: string;
  primary: string[];
  runnerCount: number;
  cellCount: number;
}

const WORKLOADS = ["fio", "unixbench", "compilebench", "fstests", "replay"];

/** Read the form's fields from a definition's plain value, whatever shape that is in. */
export function formFields(value: Record<string, unknown>): FormFields {
  const workload = isRecord(value.workload) ? value.workload : {};
  const matrix = isRecord(value.matrix) ? value.matrix : {};
  return {
    title: text(value.title),
    runner: Array.isArray(value.runner) ? null : text(value.runner),
    device: scalars(value.device),
    fio: typeof workload.fio === "string" ? workload.fio : null,
    workload: WORKLOADS.find((kind) => kind in workload) ?? "fio",
    environment: Object.fromEntries(Object.entries(scalars(value.environment)).map(([k, v]) => [k, String(v)])),
    variants: Array.isArray(value.variants) ? value.variants.map(variantFields) : [],
    repeat: value.repeat === "auto" ? "auto" : (whole(value.repeat, 10) ?? null),
    seed: whole(value.seed, 1),
    thresholdPercent: value.threshold_percent === undefined ? 2 : decimal(value.threshold_percent),
    order: value.order === undefined ? "interleaved" : text(value.order),
    primary: Array.isArray(value.primary) ? value.primary.map(String) : [],
    runnerCount: Array.isArray(value.runner) ? value.runner.length : 1,
    cellCount: Object.values(matrix).reduce<number>(
      (count, values) => count * (Array.isArray(values) ? values.length : 1),
      1,
    ),
  };
}

function variantFields(entry: unknown): VariantFields {
  const variant = isRecord(entry) ? entry : {};
  return {
    name: text(variant.name),
    device: scalars(variant.device),
    others: Object.keys(variant).filter((key) => key !== "name" && key !== "device"),
  };
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function whole(value: unknown, absent: number): number | null {
  if (value === undefined) return absent;
  return typeof value === "number" && Number.isInteger(value) ? value : null;
}

function decimal(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

function scalars(value: unknown): Record<string, Scalar> {
  if (!isRecord(value)) return {};
  const kept: Record<string, Scalar> = {};
  for (const [key, entry] of Object.entries(value)) {
    if (typeof entry === "string" || typeof entry === "number" || typeof entry === "boolean") kept[key] = entry;
  }
  return kept;
}

/** How many runs a definition has, and how that number comes about; null where the text does not say. */
export function runCount(fields: FormFields): { runs: number; words: string } | null {
  const repeat = fields.repeat === "auto" ? 6 : fields.repeat;
  if (repeat === null || fields.variants.length === 0) return null;
  const parts = [`${fields.variants.length} ${fields.variants.length === 1 ? "variant" : "variants"}`];
  if (fields.cellCount > 1) parts.push(`${fields.cellCount} matrix cells`);
  if (fields.runnerCount > 1) parts.push(`${fields.runnerCount} runners`);
  parts.push(`${repeat} ${repeat === 1 ? "repetition" : "repetitions"}`);
  return { runs: fields.variants.length * fields.cellCount * fields.runnerCount * repeat, words: parts.join(" × ") };
}

/** The smallest p-value that a sign-flip permutation of n pairs can reach, times Holm's factor for m metrics. */
export function smallestP(pairs: number, primaries: number): number {
  return Math.max(1, primaries) * 2 ** (1 - pairs);
}

/** A warning when the repetitions cannot carry a verdict, whatever they measure; null when they can. */
export function tooFewRuns(repeat: number, primaries: number): string | null {
  const decided = Math.max(1, primaries);
  if (smallestP(repeat, decided) < 0.05) return null;
  let enough = 6;
  while (smallestP(enough, decided) >= 0.05) enough += 1;
  const metrics = decided === 1 ? "one primary metric" : `${decided} primary metrics`;
  return `${repeat} repetitions cannot reach p < 0.05 with ${metrics}; ${enough} can.`;
}
