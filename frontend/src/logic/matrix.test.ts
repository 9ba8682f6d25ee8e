import { describe, expect, it } from "vitest";

import type { Comparison, MetricComparison } from "../api/types";
import { heatChoices, heatMaps, strength } from "./matrix";

function metric(name: string, ratio: number, primary = false): MetricComparison {
  return { name, ratio, primary, verdict: "improved" } as MetricComparison;
}

function comparison(cells: Record<string, string | number>[], metrics = [metric("a", 1), metric("b", 2, true)]) {
  return {
    candidates: cells.map((cell) => ({ variant: "after", group: { job: "j", cell }, metrics })),
  } as unknown as Comparison;
}

describe("a matrix", () => {
  it("offers what decides first", () => {
    const choices = heatChoices(comparison([{ depth: 1 }, { depth: 2 }]));
    expect(choices.map((choice) => [choice.variant, choice.name, choice.where])).toEqual([
      ["after", "b", "job=j"],
      ["after", "a", "job=j"],
    ]);
  });
  it("offers nothing without cells", () => {
    const plain = { candidates: [{ variant: "after", group: {}, metrics: [metric("a", 1)] }] } as unknown as Comparison;
    expect(heatChoices(plain)).toEqual([]);
  });
  it("spans a picture by its two longest keys and repeats it for the others", () => {
    const cells = [1, 8, 32].flatMap((depth) =>
      ["none", "bfq"].flatMap((scheduler) => ["hdd", "nvme"].map((device) => ({ device, scheduler, depth }))),
    );
    const whole = comparison(cells);
    const maps = heatMaps(whole, heatChoices(whole)[0]!);
    expect(maps).toHaveLength(2);
    expect(maps[0]).toMatchObject({ columnKey: "depth", columns: [1, 8, 32], rowKey: "device" });
    expect(maps.map((map) => map.label)).toEqual(["scheduler=none", "scheduler=bfq"]);
    expect(maps[0]!.cells.flat().every((cell) => cell.metric?.ratio === 2)).toBe(true);
  });
  it("has one row for one key, and holes where nothing was measured", () => {
    const whole = comparison([{ depth: 1 }, { depth: 2 }]);
    const [map] = heatMaps(whole, heatChoices(whole)[0]!);
    expect(map!.rowKey).toBeNull();
    expect(map!.cells).toHaveLength(1);
    const holed = comparison([
      { depth: 1, bs: "4k" },
      { depth: 2, bs: "8k" },
    ]);
    const found = heatMaps(holed, heatChoices(holed)[0]!)[0]!.cells.flat();
    expect(found.filter((cell) => cell.metric === null)).toHaveLength(2);
  });
  it("tints by the factor, alike for both ways", () => {
    expect(strength(2)).toBe(1);
    expect(strength(0.5)).toBe(1);
    expect(strength(1)).toBe(0);
    expect(strength(null)).toBe(0);
    expect(strength(Math.SQRT2)).toBeCloseTo(0.5);
  });
});
