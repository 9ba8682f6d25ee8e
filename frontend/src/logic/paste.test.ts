import { describe, expect, it } from "vitest";

import type { ReportContent } from "../api/types";
import { inWords, nextSteps } from "./paste";

const NOTHING: ReportContent = {
  pasted: "nothing",
  kind: null,
  title: "",
  verdict: null,
  headline: null,
  results: [],
  results_total: 0,
  tests: [],
  tests_total: 0,
  totals: {},
  pairing: null,
  comparison: null,
  claims: [],
  patches: [],
  warnings: [],
  definition: null,
};

describe("a pasted text", () => {
  it("is counted", () => {
    const mail = { ...NOTHING, pasted: "results" as const, kind: "fio", results_total: 12, tests_total: 1 };
    expect(inWords(mail)).toBe("Results: 12 figures of fio, 1 test.");
  });
  it("is offered what fits it", () => {
    expect(nextSteps(NOTHING)).toEqual([]);
    expect(nextSteps({ ...NOTHING, pasted: "job", definition: "runner: simulator\n" })).toEqual(["experiment"]);
    expect(nextSteps({ ...NOTHING, pasted: "results", definition: "x", patches: [{}] })).toEqual([
      "keep",
      "experiment",
      "patch",
    ]);
    expect(nextSteps({ ...NOTHING, pasted: "definition" })).toEqual(["experiment"]);
  });
});
