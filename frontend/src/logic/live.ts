import type { ExperimentDetail, ExperimentEvent, RunSummary, State } from "../api/types";

const FINAL: readonly State[] = ["done", "failed", "cancelled"];

/** Whether nothing can follow a state. */
export function isOver(state: State): boolean {
  return FINAL.includes(state);
}

/** Whether an experiment is over and its comparison is made; what was cancelled has a headline but no verdict. */
export function isSettled(experiment: { state: State; headline: string | null }): boolean {
  return isOver(experiment.state) && experiment.headline !== null;
}

/** Return the experiment after one event; events that it already holds change nothing. */
export function applied(experiment: ExperimentDetail, event: ExperimentEvent): ExperimentDetail {
  if (event.number <= experiment.last_event) return experiment;
  const next = { ...experiment, last_event: event.number };
  if (event.kind === "experiment") {
    return {
      ...next,
      state: (event.data.state as State | undefined) ?? experiment.state,
      started_ms: event.data.state === "running" ? (experiment.started_ms ?? event.at_ms) : experiment.started_ms,
      ended_ms: isOver(event.data.state as State) ? event.at_ms : experiment.ended_ms,
    };
  }
  if (event.kind === "comparison") {
    return {
      ...next,
      verdict: (event.data.verdict ?? null) as ExperimentDetail["verdict"],
      headline: (event.data.headline as string | undefined) ?? experiment.headline,
    };
  }
  const runs = experiment.runs.map(event.kind === "cancelled" ? cancelledIn(event) : changedBy(event));
  const ended = runs.filter((run) => isOver(run.state)).length;
  return { ...next, runs, runs_ended: Math.max(experiment.runs_ended, ended) };
}

/** Runs that wait are cancelled all at once, under one event that names none of them. */
function cancelledIn(event: ExperimentEvent) {
  return (run: RunSummary): RunSummary =>
    run.state === "queued" ? { ...run, state: "cancelled", progress: null, ended_ms: event.at_ms } : run;
}

function changedBy(event: ExperimentEvent) {
  return (run: RunSummary): RunSummary => (run.id === event.run_id ? changed(run, event) : run);
}

function changed(run: RunSummary, event: ExperimentEvent): RunSummary {
  if (event.kind === "progress") {
    return { ...run, progress: event.data as unknown as RunSummary["progress"] };
  }
  const state = (event.data.state as State | undefined) ?? run.state;
  const restarted = state === "queued" || (state === "running" && run.state !== "running");
  return {
    ...run,
    state,
    attempt: (event.data.attempt as number | undefined) ?? run.attempt,
    worker: (event.data.worker as string | undefined) ?? run.worker,
    failure: (event.data.failure as RunSummary["failure"] | undefined) ?? (restarted ? null : run.failure),
    progress: restarted ? null : run.progress,
    started_ms: state === "running" && restarted ? event.at_ms : run.started_ms,
    ended_ms: isOver(state) ? event.at_ms : null,
  };
}

/** How far an experiment is, from 0 to 1: runs that ended and the fractions of those that run. */
export function fractionDone(experiment: ExperimentDetail): number {
  if (experiment.runs_total === 0) return 0;
  const running = experiment.runs.reduce(
    (sum, run) => sum + (run.state === "running" ? (run.progress?.fraction ?? 0) : 0),
    0,
  );
  return Math.min(1, (experiment.runs_ended + running) / experiment.runs_total);
}

/** The time that is left by the pace so far, in milliseconds; null before anything can be said. */
export function remainingMs(experiment: ExperimentDetail, nowMs: number): number | null {
  const fraction = fractionDone(experiment);
  if (experiment.started_ms === null || fraction < 0.02) return null;
  const elapsed = nowMs - experiment.started_ms;
  return elapsed < 1000 ? null : (elapsed * (1 - fraction)) / fraction;
}

/** A point of a run's throughput while it runs. */
export interface Throughput {
  simulatedS: number;
  iops: number;
}

/** The throughput that an event carries, if it carries one. */
export function throughputIn(event: ExperimentEvent): Throughput | null {
  const { iops, simulated_s: simulatedS } = event.data;
  return event.kind === "progress" && typeof iops === "number" && typeof simulatedS === "number"
    ? { simulatedS, iops }
    : null;
}
