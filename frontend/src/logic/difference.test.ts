import { expect, test } from "vitest";

import { difference } from "./difference";

function applied(before: string, after: string): string {
  const change = difference(before, after);
  return change === null ? before : before.slice(0, change.from) + change.insert + before.slice(change.to);
}

test("the change makes the one text into the other, whatever they are", () => {
  const texts = [
    "",
    "a",
    "aa",
    "aaa",
    "ab",
    "ba",
    "aba",
    "abcabc",
    "abc\nabc",
    "xabcabcx",
    "the same",
    "the very same",
  ];
  for (const before of texts) for (const after of texts) expect(applied(before, after)).toBe(after);
});

test("what is the same before and behind is not touched", () => {
  expect(difference("rw=read\nbs=4k\n", "rw=write\nbs=4k\n")).toEqual({ from: 3, to: 7, insert: "write" });
});

test("equal texts need no change", () => {
  expect(difference("x", "x")).toBeNull();
});
