import { expect, test } from "vitest";

import { age, duration } from "./time";

const NOW = 1_800_000_000_000;

test.each([
  [10, "just now"],
  [60, "1 min ago"],
  [59 * 60, "59 min ago"],
  [2 * 3600, "2 h ago"],
  [86_400, "1 day ago"],
  [5 * 86_400, "5 days ago"],
])("%d seconds back is %s", (seconds, words) => {
  expect(age(NOW - seconds * 1000, NOW)).toBe(words);
});

test("a clock that is behind the server's gives no negative age", () => {
  expect(age(NOW + 5000, NOW)).toBe("just now");
});

test.each([
  [420, "0.42 s"],
  [7300, "7.3 s"],
  [59_600, "60 s"],
  [61_000, "1 min 01 s"],
  [3_725_000, "1 h 02 min"],
])("%d ms is %s", (ms, words) => {
  expect(duration(ms)).toBe(words);
});
