import { describe, expect, test } from "vitest";

import type { ExperimentDetail, ExperimentEvent, RunSummary } from "../api/types";
import { applied, fractionDone, isSettled, remainingMs, throughputIn } from "./live";

function run(id: string, state: RunSummary["state"], more: Partial<RunSummary> = {}): RunSummary {
  return {
    id,
    position: 0,
    runner: "noop",
    variant: "a",
    cell: {},
    replicate: 0,
    seed: 1,
    state,
    attempt: 0,
    worker: null,
    progress: null,
    failure: null,
    started_ms: null,
    ended_ms: null,
    ...more,
  };
}

const EXPERIMENT = {
  state: "running",
  verdict: null,
  headline: null,
  runs_total: 4,
  runs_ended: 1,
  started_ms: 1_000,
  ended_ms: null,
  last_event: 10,
  runs: [
    run("r1", "done"),
    run("r2", "running", { progress: { fraction: 0.5 } as RunSummary["progress"] }),
    run("r3", "queued"),
    run("r4", "queued"),
  ],
} as unknown as ExperimentDetail;

function event(
  number: number,
  kind: ExperimentEvent["kind"],
  data: Record<string, unknown>,
  run_id: string | null = null,
): ExperimentEvent {
  return { number, kind, run_id, at_ms: 5_000, data };
}

describe("events", () => {
  test("an event that is held already changes nothing", () => {
    expect(applied(EXPERIMENT, event(10, "experiment", { state: "failed" }))).toBe(EXPERIMENT);
  });

  test("progress goes to its run alone", () => {
    const after = applied(EXPERIMENT, event(11, "progress", { fraction: 0.75 }, "r2"));
    expect(after.runs[1]?.progress?.fraction).toBe(0.75);
    expect(after.runs[2]).toBe(EXPERIMENT.runs[2]);
    expect(after.last_event).toBe(11);
  });

  test("a run that ends is counted and dated", () => {
    const after = applied(EXPERIMENT, event(11, "run", { state: "done", attempt: 1 }, "r2"));
    expect(after.runs_ended).toBe(2);
    expect(after.runs[1]).toMatchObject({ state: "done", ended_ms: 5_000, attempt: 1 });
  });

  test("a run that is offered again forgets how far it was", () => {
    const after = applied(EXPERIMENT, event(11, "run", { state: "queued", attempt: 1 }, "r2"));
    expect(after.runs[1]).toMatchObject({ state: "queued", progress: null, ended_ms: null });
  });

  test("a failure stays with its run", () => {
    const after = applied(EXPERIMENT, event(11, "run", { state: "failed", failure: { message: "m" } }, "r2"));
    expect(after.runs[1]?.failure).toEqual({ message: "m" });
  });

  test("the end and the comparison settle the experiment", () => {
    const over = applied(EXPERIMENT, event(11, "experiment", { state: "done" }));
    expect(over.ended_ms).toBe(5_000);
    expect(isSettled(over)).toBe(false);
    const settled = applied(over, event(12, "comparison", { verdict: "improved", headline: "h" }));
    expect(isSettled(settled)).toBe(true);
    expect(settled.headline).toBe("h");
  });

  test("the runs that wait are cancelled at once, and no others", () => {
    const after = applied(EXPERIMENT, event(11, "cancelled", { runs: 2 }));
    expect(after.runs.map((run) => run.state)).toEqual(["done", "running", "cancelled", "cancelled"]);
    expect(after.runs.map((run) => run.ended_ms)).toEqual([null, null, 5_000, 5_000]);
    expect(after.runs_ended).toBe(3);
  });

  test("what was cancelled is settled without a verdict", () => {
    const over = applied(EXPERIMENT, event(11, "experiment", { state: "cancelled" }));
    expect(isSettled(over)).toBe(false);
    expect(isSettled(applied(over, event(12, "comparison", { verdict: null, headline: "h" })))).toBe(true);
  });

  test("an event of a run that is not shown is harmless", () => {
    expect(applied(EXPERIMENT, event(11, "run", { state: "done" }, "elsewhere")).runs).toEqual(EXPERIMENT.runs);
  });
});

describe("how far it is", () => {
  test("ended runs count whole, running ones by their fraction", () => {
    expect(fractionDone(EXPERIMENT)).toBe((1 + 0.5) / 4);
  });

  test("what is left goes by the pace so far", () => {
    // 1.5 of 4 runs in 3 seconds: 2.5 runs more at that pace take 5
    expect(remainingMs(EXPERIMENT, 4_000)).toBeCloseTo(5_000, 6);
  });

  test("nothing is said of what is left before there is a pace", () => {
    expect(remainingMs({ ...EXPERIMENT, started_ms: null }, 4_000)).toBeNull();
    expect(remainingMs({ ...EXPERIMENT, runs_ended: 0, runs: [] }, 4_000)).toBeNull();
  });
});

test("throughput is taken only from progress that has it", () => {
  expect(throughputIn(event(1, "progress", { fraction: 0.1, iops: 5, simulated_s: 2 }))).toEqual({
    iops: 5,
    simulatedS: 2,
  });
  expect(throughputIn(event(1, "progress", { fraction: 0.1, iops: null }))).toBeNull();
  expect(throughputIn(event(1, "run", { iops: 5, simulated_s: 2 }))).toBeNull();
});
