import type { ReportPairing, ReportSide } from "../api/types";

/** Put the figures of one label elsewhere: under a variant, or (null) out of the comparison. */
export function moved(pairing: ReportPairing, label: string, variant: string | null): ReportPairing {
  const sides = pairing.sides.map((side) => (side.label === label ? { ...side, variant } : side));
  return withBaseline({ ...pairing, sides });
}

/** Make what is under a label the baseline. */
export function asBaseline(pairing: ReportPairing, label: string): ReportPairing {
  const side = pairing.sides.find((entry) => entry.label === label);
  if (!side) return pairing;
  const variant = side.variant ?? label;
  return { ...moved(pairing, label, variant), baseline: variant };
}

/** A baseline that no label is left under passes to the first variant there is. */
function withBaseline(pairing: ReportPairing): ReportPairing {
  const variants = variantsOf(pairing);
  return variants.includes(pairing.baseline) ? pairing : { ...pairing, baseline: variants[0] ?? pairing.baseline };
}

/** The variants of a pairing, in the order of their labels. */
export function variantsOf(pairing: ReportPairing): string[] {
  return [...new Set(pairing.sides.flatMap((side) => (side.variant ? [side.variant] : [])))];
}

/** Why a pairing compares nothing; null when it does compare. */
export function nothingCompared(pairing: ReportPairing): string | null {
  return variantsOf(pairing).length < 2 ? "Two variants are needed for a comparison." : null;
}

export function sameSides(a: readonly ReportSide[], b: readonly ReportSide[]): boolean {
  const words = (sides: readonly ReportSide[]) =>
    JSON.stringify(sides.map((side) => [side.label, side.variant ?? null, side.setup ?? null]));
  return words(a) === words(b);
}
