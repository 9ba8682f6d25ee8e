import { describe, expect, test } from "vitest";

import type { LatencyCurve, SeriesBand } from "../api/types";
import { choices, chosen, coincide, distribution, overTime, preferred, tail, tailFloor } from "./curves";

function curve(variant: string, points: [number, number][], more: Partial<LatencyCurve> = {}): LatencyCurve {
  return {
    variant,
    name: "read.clat",
    group: {},
    runs: 1,
    count: 100,
    mean_ns: 0,
    min_ns: 0,
    max_ns: 0,
    percentiles: {},
    curve: points,
    ...more,
  };
}

function band(variant: string, interval_ns: number, mean: (number | null)[]): SeriesBand {
  return { variant, name: "read.iops", unit: "IOPS", group: {}, runs: 2, interval_ns, mean, low: mean, high: mean };
}

describe("distributions over one axis", () => {
  test("each is a step function: 0 before its first bin, level between bins, nothing after its last", () => {
    const columns = distribution([
      curve("a", [
        [10, 0.5],
        [30, 1],
      ]),
      curve("b", [[20, 1]]),
    ]);
    expect(columns).toEqual([
      [9.5, 10, 20, 30],
      [0, 0.5, 0.5, 1],
      [0, 0, 1, null],
    ]);
  });

  test("the tail is what took longer, and nothing where none did", () => {
    const [, a] = tail([
      curve("a", [
        [10, 0.9],
        [20, 0.999],
        [30, 1],
      ]),
    ]);
    expect(a?.[0]).toBe(1);
    expect(a?.[1]).toBeCloseTo(0.1, 12);
    expect(a?.[2]).toBeCloseTo(0.001, 12);
    expect(a?.[3]).toBeNull();
  });

  test("before the first bin of one variant every I/O took longer", () => {
    const [, , b] = tail([
      curve("a", [
        [10, 0.5],
        [20, 1],
      ]),
      curve("b", [[20, 1]]),
    ]);
    expect(b?.slice(0, 2)).toEqual([1, 1]);
  });

  test("a latency of nothing stands at one nanosecond, for the axis has no zero", () => {
    expect(distribution([curve("a", [[0, 1]])])[0]?.at(-1)).toBe(1);
  });

  test("the tail reaches down to one I/O in all", () => {
    expect(tailFloor([curve("a", [], { count: 1_000_000 })])).toBeCloseTo(1e-6, 12);
    expect(tailFloor([curve("a", [], { count: 1_000_001 })])).toBeCloseTo(1e-7, 12);
  });
});

describe("series over one axis", () => {
  test("a value stands at the end of its interval", () => {
    expect(overTime([band("a", 500_000_000, [5, null])])).toEqual([
      [0.5, 1],
      [5, null],
      [5, null],
      [5, null],
    ]);
  });

  test("different intervals share the axis and leave gaps", () => {
    const [x, a, , , b] = overTime([band("a", 1e9, [1, 2]), band("b", 5e8, [7, 8])]);
    expect(x).toEqual([0.5, 1, 2]);
    expect(a).toEqual([null, 1, 2]);
    expect(b).toEqual([7, 8, null]);
  });
});

test("names in groups are offered once, and picked whole", () => {
  const curves = [
    curve("a", []),
    curve("b", []),
    curve("a", [], { group: { job: "x" } }),
    curve("a", [], { name: "write.clat" }),
  ];
  const offered = choices(curves);
  expect(offered.map((choice) => choice.id)).toEqual(["read.clat", "read.clat job=x", "write.clat"]);
  expect(chosen(curves, offered[0]).map((entry) => entry.variant)).toEqual(["a", "b"]);
  expect(preferred(offered, ["trim.clat", "write.clat"])?.id).toBe("write.clat");
  expect(preferred(offered, [])?.id).toBe("read.clat");
});

test("lines coincide when there are two at least and all are the same", () => {
  expect(
    coincide([
      [1, null],
      [1, null],
    ]),
  ).toBe(true);
  expect(coincide([[1], [2]])).toBe(false);
  expect(coincide([[1]])).toBe(false);
});
