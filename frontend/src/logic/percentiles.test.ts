import { describe, expect, it } from "vitest";

import { shareWords } from "./percentiles";

describe("a share of I/Os", () => {
  it.each([
    [1, "100 %"],
    [0.1, "10 %"],
    [0.01, "1 %"],
    [0.001, "0.1 %"],
    [0.0001, "0.01 %"],
    [0.000001, "0.0001 %"],
  ])("of %f is written in per cent", (share, words) => {
    expect(shareWords(share)).toBe(words);
  });
});
