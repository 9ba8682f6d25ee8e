import type { State, Verdict } from "../api/types";
import { Icon, type IconName } from "./icons";

const VERDICT_ICONS: Record<Verdict, IconName> = {
  improved: "check",
  regressed: "cross",
  equivalent: "equals",
  inconclusive: "question",
};

const STATE_ICONS: Record<State, IconName> = {
  queued: "clock",
  running: "play",
  done: "check",
  failed: "cross",
  cancelled: "stop",
};

/** A verdict as a word with a shape of its own, so that no colour has to be told from another. */
export function VerdictMark({ verdict, large = false }: { verdict: Verdict; large?: boolean }) {
  return (
    <span className={`mark ${verdict}${large ? " large" : ""}`}>
      <Icon name={VERDICT_ICONS[verdict]} />
      {verdict}
    </span>
  );
}

export function StateMark({ state }: { state: State }) {
  return (
    <span className={`mark ${state}`}>
      <Icon name={STATE_ICONS[state]} />
      {state}
    </span>
  );
}

export function Progress({ fraction, label }: { fraction: number; label: string }) {
  const percent = Math.round(fraction * 100);
  return (
    <div
      className="bar"
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <i style={{ width: `${fraction * 100}%` }} />
    </div>
  );
}

/** The colour of a variant by its place in the definition; further variants share the last ones in turn. */
export function variantColour(index: number): string {
  return `var(--variant-${index < 0 ? 5 : index % 6})`;
}

export function Swatch({ index }: { index: number }) {
  return (
    <span className="swatch" style={{ "--swatch": variantColour(index) } as React.CSSProperties} aria-hidden="true" />
  );
}
