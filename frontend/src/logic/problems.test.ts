import { describe, expect, test } from "vitest";

import { findingsFor, pathOf, placed } from "./problems";

const TEXT = `runner: simulator
device: {profile: x}
workload:
  fio: |
    [a]
    rw=nonsense
variants:
  - name: a
  - name: b
    device: {ncq: 0}
`;

test("a key may begin with the variant and cell that it was found in", () => {
  expect(pathOf("variant b (device.ncq=1): device.scheduler")).toEqual(["device", "scheduler"]);
  expect(pathOf("variants.1.name")).toEqual(["variants", 1, "name"]);
});

describe("problems are placed", () => {
  test("by the line of the job that they name", () => {
    const [found] = placed([{ key: "workload.fio", line: null, message: "line 2: rw: no such thing" }], TEXT);
    expect(found?.line).toBe(6);
  });

  test("by the line that they came with", () => {
    expect(placed([{ key: "repeat", line: 9, message: "m" }], TEXT)[0]?.line).toBe(9);
  });

  test("by their key, else by its nearest parent", () => {
    expect(placed([{ key: "device.scheduler", line: null, message: "m" }], TEXT)[0]?.line).toBe(2);
    expect(placed([{ key: "variants.1.device.ncq", line: null, message: "m" }], TEXT)[0]?.line).toBe(10);
  });

  test("or nowhere", () => {
    expect(placed([{ key: null, line: null, message: "m" }], TEXT)[0]?.line).toBeNull();
  });
});

test("a field finds what stands against it and what is below it, errors only", () => {
  const findings = placed(
    [
      { key: "device.scheduler", line: null, message: "one" },
      { key: "device", line: null, message: "two" },
      { key: "devices", line: null, message: "three" },
    ],
    TEXT,
  );
  expect(findingsFor(findings, "device").map((finding) => finding.message)).toEqual(["one", "two"]);
  expect(findingsFor([{ key: "device", line: 1, message: "w", severity: "warning" }], "device")).toEqual([]);
});
