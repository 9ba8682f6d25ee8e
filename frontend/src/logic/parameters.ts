import type { DeviceOffer, ParameterOffer } from "../api/types";
import { formatCount } from "./units";

/** Keys of a device that are fields of their own in the form. */
const OWN_FIELDS = new Set(["profile", "scheduler"]);

const NR_REQUESTS: ParameterOffer = {
  name: "nr_requests",
  value: "as Linux sets it",
  unit: "requests",
  meaning: "Requests that the queue holds, as /sys/block/*/queue/nr_requests",
  low: 1,
  high: 10_240,
  choices: null,
};

const NOOP: ParameterOffer[] = [
  { name: "noop_ms", value: 0, unit: "ms", meaning: "How long each run takes", low: 0, high: 600_000, choices: null },
  {
    name: "noop_iops",
    value: 1000,
    unit: "IOPS",
    meaning: "The answer, but for 1 % by seed",
    low: 0,
    high: 600_000,
    choices: null,
  },
];

/** The parameters that a definition may override on this runner and device. */
export function parametersFor(runner: string | null, device: DeviceOffer | undefined): ParameterOffer[] {
  if (runner === "noop") return NOOP;
  const own = device?.parameters ?? [];
  return own.some((parameter) => parameter.name === "nr_requests") ? own : [NR_REQUESTS, ...own];
}

/** The overrides in a device map that no parameter of the profile stands for. */
export function unknownOverrides(device: Record<string, unknown>, parameters: readonly ParameterOffer[]): string[] {
  return Object.keys(device).filter((key) => !OWN_FIELDS.has(key) && !parameters.some(({ name }) => name === key));
}

/** The range of a parameter in words; empty where it has none. */
export function rangeWords(parameter: ParameterOffer): string {
  if (parameter.choices) return parameter.choices.join(", ");
  if (parameter.low === null || parameter.high === null) return "";
  return `${formatCount(parameter.low)} – ${formatCount(parameter.high)}`;
}
