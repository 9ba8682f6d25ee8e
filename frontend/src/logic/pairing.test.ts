import { describe, expect, it } from "vitest";

import { asBaseline, moved, nothingCompared, sameSides, variantsOf } from "./pairing";

const PAIRING = {
  baseline: "old",
  rule: "",
  sides: [
    { label: "before", variant: "old", setup: null },
    { label: "after", variant: "new", setup: null },
    { label: "other", variant: null, setup: null },
  ],
};

describe("a pairing", () => {
  it("names its variants once, in order", () => {
    expect(variantsOf(moved(PAIRING, "other", "old"))).toEqual(["old", "new"]);
  });
  it("passes the baseline on when nothing is left under it", () => {
    expect(moved(PAIRING, "before", null).baseline).toBe("new");
    expect(moved(PAIRING, "after", null).baseline).toBe("old");
  });
  it("makes a label that was left out the baseline under its own name", () => {
    const changed = asBaseline(PAIRING, "other");
    expect(changed.baseline).toBe("other");
    expect(changed.sides[2]).toEqual({ label: "other", variant: "other", setup: null });
  });
  it("leaves the one it came from alone", () => {
    moved(PAIRING, "after", null);
    expect(PAIRING.sides[1]?.variant).toBe("new");
  });
  it("says when it compares nothing", () => {
    expect(nothingCompared(PAIRING)).toBeNull();
    expect(nothingCompared(moved(PAIRING, "after", null))).toMatch(/Two variants/);
  });
  it("takes a side without a setup and one with null for the same", () => {
    expect(sameSides([{ label: "a", variant: "b" }], [{ label: "a", variant: "b", setup: null }])).toBe(true);
    expect(sameSides(PAIRING.sides, moved(PAIRING, "after", null).sides)).toBe(false);
  });
});
