import { describe, expect, test } from "vitest";

import type { DeviceOffer, LatencyCurve, ParameterOffer, StageShare } from "../api/types";
import { facts } from "./environment";
import { addressOf, filtersOf } from "./filters";
import { parametersFor, rangeWords, unknownOverrides } from "./parameters";
import { percentileRows } from "./percentiles";
import { stageTables } from "./stages";

function stage(variant: string, name: string, mean_ns: number, count = 10): StageShare {
  return { variant, group: {}, name, meaning: "m", count, mean_ns, max_ns: mean_ns };
}

describe("stages", () => {
  const tables = stageTables(
    [
      stage("a", "read.q2g", 0),
      stage("a", "read.d2c", 80),
      stage("a", "write.d2c", 7),
      stage("b", "read.d2c", 40),
      stage("b", "read.q2g", 0),
    ],
    ["a", "b"],
  );

  test("are paired by direction, in the order of the I/O's way", () => {
    expect(tables.map((table) => table.direction)).toEqual(["read", "write"]);
    expect(tables[0]?.rows).toEqual([{ name: "d2c", meaning: "m", means: [80, 40] }]);
  });

  test("in which no time passed are only named", () => {
    expect(tables[0]?.empty).toEqual(["q2g"]);
  });

  test("that one variant does not have are gaps, not zeros", () => {
    expect(tables[1]?.rows[0]?.means).toEqual([7, null]);
  });

  test("add up by variant", () => {
    expect(tables[0]?.totals).toEqual([80, 40]);
    expect(tables[0]?.longest).toBe(80);
  });
});

test("the last percentile is the largest latency itself, not its bin", () => {
  const curve = {
    percentiles: { "99.9": 30, "50": 10, "100": 39 },
    max_ns: 41,
    mean_ns: 12.5,
    count: 3,
  } as unknown as LatencyCurve;
  expect(percentileRows([curve])).toEqual([
    { label: "p50", percent: 50, values: [10] },
    { label: "p99.9", percent: 99.9, values: [30] },
    { label: "max", percent: 100, values: [41] },
    { label: "mean", percent: null, values: [12.5] },
  ]);
});

test("settings that differ between variants come first", () => {
  const lines = facts({ a: { same: 1, device: { ncq: 1 } }, b: { same: 1, device: { ncq: 32 }, only: "b" } }, [
    "a",
    "b",
  ]);
  expect(lines).toEqual([
    { name: "device.ncq", values: ["1", "32"], differs: true },
    { name: "only", values: ["–", "b"], differs: true },
    { name: "same", values: ["1", "1"], differs: false },
  ]);
});

describe("filters in the address", () => {
  test("come back as they went", () => {
    const filters = { state: "done" as const, verdict: "regressed" as const, words: "a&b = c" };
    expect(filtersOf(addressOf(filters).slice(2))).toEqual(filters);
  });

  test("that do not exist are passed over", () => {
    expect(filtersOf("state=nonsense&verdict=<b>")).toEqual({ state: undefined, verdict: undefined, words: undefined });
    expect(addressOf({})).toBe("/");
  });
});

describe("device parameters", () => {
  const ncq: ParameterOffer = {
    name: "ncq",
    value: 32,
    unit: "commands",
    meaning: "m",
    low: 1,
    high: 32,
    choices: null,
  };
  const device = { parameters: [ncq] } as unknown as DeviceOffer;

  test("the queue's own setting is offered with the profile's", () => {
    expect(parametersFor("simulator", device).map((parameter) => parameter.name)).toEqual(["nr_requests", "ncq"]);
  });

  test("the noop runner has its own", () => {
    expect(parametersFor("noop", device).map((parameter) => parameter.name)).toEqual(["noop_ms", "noop_iops"]);
  });

  test("an override that the profile does not have is noticed", () => {
    expect(unknownOverrides({ profile: "x", scheduler: "none", ncq: 1, nqc: 2 }, [ncq])).toEqual(["nqc"]);
  });

  test("a range is said in words", () => {
    expect(rangeWords(ncq)).toBe("1 – 32");
    expect(rangeWords({ ...ncq, choices: ["a", "b"] })).toBe("a, b");
    expect(rangeWords({ ...ncq, low: null })).toBe("");
  });
});
