import { describe, expect, test } from "vitest";

import { formFields, runCount, smallestP, tooFewRuns } from "./form";

describe("the form's fields", () => {
  test("a definition is read whatever shape its values have", () => {
    const fields = formFields({
      runner: ["simulator", "noop"],
      device: "word",
      workload: [],
      variants: [3, null],
      repeat: "x",
    });
    expect(fields.runner).toBeNull();
    expect(fields.runnerCount).toBe(2);
    expect(fields.device).toEqual({});
    expect(fields.fio).toBeNull();
    expect(fields.variants.map((variant) => variant.name)).toEqual(["", ""]);
    expect(fields.repeat).toBeNull();
  });

  test("what a variant declares beside its device is named", () => {
    const [variant] = formFields({
      variants: [{ name: "a", kernel: "k", device: { ncq: 1 }, patches: ["p"] }],
    }).variants;
    expect(variant).toEqual({ name: "a", device: { ncq: 1 }, others: ["kernel", "patches"] });
  });

  test("another workload than fio is recognised", () => {
    expect(formFields({ workload: { unixbench: { tests: ["fsdisk"] } } }).workload).toBe("unixbench");
  });
});

describe("how many runs there are", () => {
  test("variants, cells, runners and repetitions multiply", () => {
    const fields = formFields({
      runner: ["simulator", "noop"],
      variants: [{ name: "a" }, { name: "b" }],
      matrix: { "device.ncq": [1, 2, 3], "environment.X": ["1", "2"] },
      repeat: 5,
    });
    expect(runCount(fields)?.runs).toBe(2 * 2 * 6 * 5);
  });

  test("nothing is said of a definition without variants or with a word for a number", () => {
    expect(runCount(formFields({ variants: [] }))).toBeNull();
    expect(runCount(formFields({ variants: [{ name: "a" }], repeat: "many" }))).toBeNull();
  });
});

describe("repetitions that cannot carry a verdict", () => {
  // a sign-flip test has 2^n equally likely outcomes, of which two are as extreme as the most extreme
  test.each([1, 2, 3, 4])("the smallest p of %d pairs, counted out", (pairs) => {
    const sums = Array.from({ length: 2 ** pairs }, (_, bits) =>
      Array.from({ length: pairs }, (_, pair) => ((bits >> pair) & 1 ? 1 : -1)).reduce<number>((a, b) => a + b, 0),
    );
    const extreme = sums.filter((sum) => Math.abs(sum) === pairs).length;
    expect(smallestP(pairs, 1)).toBeCloseTo(extreme / sums.length, 12);
  });

  test("six repetitions can decide one metric, and not two", () => {
    expect(tooFewRuns(6, 1)).toBeNull();
    expect(tooFewRuns(6, 2)).toContain("7 can");
    expect(tooFewRuns(5, 0)).toContain("6 can");
    expect(tooFewRuns(7, 3)).toBeNull();
  });
});
