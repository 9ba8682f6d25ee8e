import { expect, test } from "vitest";

import { logTicks } from "./ticks";

const SPLITS = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 200, 500, 1000];
const shown = (low: number, high: number) => logTicks(SPLITS, low, high).filter((value) => value !== null);

test("over many decades only they are marked", () => {
  expect(shown(1, 1e6)).toEqual([10, 100, 1000]);
});

test("over two decades the one, two and five of each are", () => {
  expect(shown(10, 1000)).toEqual([10, 20, 50, 100, 200, 500, 1000]);
});

test("within one decade every whole step is", () => {
  expect(shown(50, 100)).toEqual(SPLITS);
});

test("decades are found in spite of rounding, below one too", () => {
  expect(logTicks([1e-6, 2e-6, 1e-5, 0.001], 1e-7, 1)).toEqual([1e-6, null, 1e-5, 0.001]);
});
