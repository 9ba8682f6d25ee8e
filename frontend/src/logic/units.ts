const DECIMAL = ["", "k", "M", "G", "T"];
const BINARY = ["", "Ki", "Mi", "Gi", "Ti", "Pi"];
const TIME_NS: [number, string][] = [
  [1e9, "s"],
  [1e6, "ms"],
  [1e3, "µs"],
  [1, "ns"],
];

/** A number with so many significant digits, never in powers of ten when it is 0.0001 or more. */
export function significant(value: number, digits = 4): string {
  if (value === 0) return "0";
  if (!Number.isFinite(value)) return String(value);
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  if (magnitude < -4) return value.toExponential(digits - 1);
  return value.toFixed(Math.max(0, digits - 1 - magnitude));
}

/**
 * A value as people read it, in the field's own scale and by the same rules as the server's text: bytes take binary
 * prefixes as fio prints them first, IOPS a decimal one from 10,000 on, nanoseconds become µs, ms or s.
 */
export function formatValue(value: number, unit: string): string {
  if (!Number.isFinite(value)) return `${value} ${unit}`.trim();
  const size = Math.abs(value);
  if (unit === "ns") {
    const [scale, name] = TIME_NS.find(([from]) => size >= from) ?? [1, "ns"];
    return `${significant(value / scale)} ${name}`;
  }
  if (unit === "B" || unit === "B/s") {
    const step = stepOf(size, 1024, 1, BINARY.length);
    return `${significant(value / 1024 ** step)} ${BINARY[step]}${unit}`;
  }
  if (unit === "IOPS") {
    const step = stepOf(size, 1000, 10, DECIMAL.length);
    return `${significant(value / 1000 ** step)}${DECIMAL[step]} IOPS`;
  }
  return `${significant(value)} ${unit}`.trim();
}

/** A value for an axis: as short as it can be said. */
export function formatTick(value: number, unit: string): string {
  const [number, ...rest] = formatValue(value, unit).split(" ");
  const match = /^(-?[\d.]+)(.*)$/.exec(number ?? "");
  if (!match) return formatValue(value, unit);
  const short = (match[1] ?? "").includes(".") ? (match[1] ?? "").replace(/0+$/, "").replace(/\.$/, "") : match[1];
  const suffix = unit === "IOPS" ? "" : rest.join(" ");
  return `${short}${match[2]}${suffix ? ` ${suffix}` : ""}`;
}

/** A ratio as `1.982×`. */
export function formatRatio(ratio: number): string {
  return `${significant(ratio)}×`;
}

/** A ratio's distance from 1 as `+98.2 %`. */
export function formatChange(ratio: number): string {
  const percent = (ratio - 1) * 100;
  const text = significant(Math.abs(percent), 3);
  return `${percent < 0 ? "−" : "+"}${text} %`;
}

/** A count with thin spaces between thousands. */
export function formatCount(count: number): string {
  return Math.round(count)
    .toString()
    .replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}

const WRITTEN_OUT: Record<string, string> = { bytes: "B", "bytes/s": "B/s" };

/** A parameter's value beside its unit, in words a person checks at a glance: `2000000 ns` is `2.000 ms`. */
export function readable(value: number | string, unit: string): string | null {
  const known = WRITTEN_OUT[unit] ?? unit;
  if (typeof value === "string" || value < 1000 || !["ns", "B", "B/s"].includes(known)) return null;
  return formatValue(value, known);
}

function stepOf(size: number, base: number, first: number, steps: number): number {
  if (size < base * first) return 0;
  let step = 0;
  let rest = size;
  while (rest >= base && step < steps - 1) {
    rest /= base;
    step += 1;
  }
  return step;
}
