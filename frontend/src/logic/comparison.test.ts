import { describe, expect, test } from "vitest";

import type { Comparison, MetricComparison } from "../api/types";
import { barPosition, barReach, groupLabel, sections } from "./comparison";

function metric(
  name: string,
  verdict: MetricComparison["verdict"],
  more: Partial<MetricComparison> = {},
): MetricComparison {
  const side = { n: 10, mean: 1, median: 1, stdev: 0, min: 1, max: 1 };
  return {
    name,
    unit: "IOPS",
    better: "higher",
    primary: false,
    baseline: side,
    candidate: side,
    n: 10,
    ratio: 1,
    estimator: "medians",
    ci95: [1, 1],
    p_value: 1,
    p_adjusted: 1,
    verdict,
    exact: false,
    detectable_percent: 1,
    seeds: [],
    reason: "",
    ...more,
  };
}

const COMPARISON: Comparison = {
  schema: 1,
  baseline: "a",
  verdict: "improved",
  primary: ["write.iops"],
  threshold_percent: 2,
  deterministic: true,
  order: "interleaved",
  candidates: [
    {
      variant: "b",
      group: { job: "j", cell: { "device.ncq": 1 } },
      metrics: [
        metric("read.iops", "equivalent"),
        metric("read.bw", "regressed"),
        metric("write.iops", "improved", { primary: true }),
      ],
    },
  ],
  measured: [],
  why: [],
  placebo: false,
  notes: [],
};

const names = (show: "all" | "changed" | "primary", words = "") =>
  sections(COMPARISON, show, words)[0]?.rows.map((row) => row.metric.name);

describe("the comparison table", () => {
  test("rows that decide come first, the others in their order", () => {
    expect(names("all")).toEqual(["write.iops", "read.iops", "read.bw"]);
  });

  test("what did not change can be left out, and is counted", () => {
    expect(names("changed")).toEqual(["write.iops", "read.bw"]);
    expect(sections(COMPARISON, "changed", "")[0]?.hidden).toBe(1);
  });

  test("a row is shown when it has all the words", () => {
    expect(names("all", "read iops")).toEqual(["read.iops"]);
    expect(names("all", "regressed")).toEqual(["read.bw"]);
    expect(names("all", "nothing")).toEqual([]);
  });

  test("a group is named by its job and its cell", () => {
    expect(groupLabel({ job: "j", copies: null, cell: { "device.ncq": 1 } })).toBe("job=j device.ncq=1");
    expect(groupLabel({})).toBe("");
  });
});

describe("the interval bars", () => {
  test("1 stands in the middle, and a ratio and its inverse at the same distance from it", () => {
    expect(barPosition(1, 1).at).toBe(0.5);
    expect(barPosition(1.5, 1).at - 0.5).toBeCloseTo(0.5 - barPosition(1 / 1.5, 1).at, 12);
  });

  test("what lies beyond an end is marked there", () => {
    expect(barPosition(100, 1)).toEqual({ at: 1, beyond: 1 });
    expect(barPosition(0.001, 1)).toEqual({ at: 0, beyond: -1 });
  });

  test("the axis holds every interval, twice the threshold at least and a factor of four at most", () => {
    const rows = (ratio: number, ci95: [number, number] | null) => [
      { id: "x", metric: metric("m", "improved", { ratio, ci95 }) },
    ];
    expect(barReach(rows(1, [1, 1]), 2)).toBeCloseTo(2 * Math.log(1.02) * 1.05, 9);
    expect(barReach(rows(1.2, [1.1, 1.5]), 2)).toBeGreaterThan(Math.log(1.5));
    expect(barReach(rows(100, null), 2)).toBe(Math.log(4));
    expect(barReach(rows(0, [0, 0]), 2)).toBeGreaterThan(0);
  });
});
