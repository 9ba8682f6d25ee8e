import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";
import { parse } from "yaml";

import type { Definition } from "../api/types";
import { DEFAULTS, definitionText, edited, lineOf, readDefinition, scalarOf } from "./definition";

const TEXT = `# why this is tried
title: stalls
runner: simulator # the quick one
device: {profile: stalling, scheduler: none}
workload:
  fio: |
    [global]
    bs=4k

    [fio]
    rw=randrw
variants:
  - name: a
  - name: b # the candidate
    device: {scheduler: mq-deadline}
repeat: 10
`;

describe("reading", () => {
  test("a text is read by YAML 1.2, where on and no are words", () => {
    expect(readDefinition("a: on\nb: no\nc: 0o17\n").value).toEqual({ a: "on", b: "no", c: 15 });
  });

  test("a fault names its line", () => {
    expect(readDefinition("title: x\nrunner: [a\nb: c\n").fault?.line).toBeGreaterThanOrEqual(2);
  });

  test("a text that is no mapping is a fault", () => {
    expect(readDefinition("- a\n").fault).not.toBeNull();
    expect(readDefinition("").fault).not.toBeNull();
  });

  test("a bomb of aliases is a fault, not a hang", () => {
    const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
    for (let depth = 1; depth < 9; depth += 1) {
      lines.push(
        `a${depth}: &a${depth} [${Array(10)
          .fill(`*a${depth - 1}`)
          .join(", ")}]`,
      );
    }
    expect(readDefinition(lines.join("\n")).fault).not.toBeNull();
  });
});

describe("editing keeps what it does not change", () => {
  test("an edit that changes nothing leaves the text as it is", () => {
    expect(edited(TEXT, ["title"], "stalls")).toBe(TEXT);
  });

  test("comments, order and styles stay", () => {
    const after = edited(TEXT, ["runner"], "noop");
    expect(after).toBe(TEXT.replace("runner: simulator", "runner: noop"));
  });

  test("a job goes in to the letter", () => {
    const job = "[global]\nfilename=/dev/sdX  \n\n; a comment: with {braces} # and more\n\t[tabbed]\nrw=read\n";
    const after = edited(TEXT, ["workload", "fio"], job);
    expect((readDefinition(after).value.workload as { fio: string }).fio).toBe(job);
  });

  test.each([
    ["no newline at the end"],
    ["two\n\n"],
    ["  leading spaces\nrw=read"],
    ["\n[global]\n"],
    ["a\r\nb\n"],
    ["#\n"],
  ])("the job %j comes back the same", (job) => {
    const after = edited(TEXT, ["workload", "fio"], job);
    expect((readDefinition(after).value.workload as { fio: string }).fio).toBe(job);
  });

  test("a value taken out takes its emptied map with it, but not the entry of a list", () => {
    const after = edited(TEXT, ["variants", 1, "device", "scheduler"], undefined);
    expect(readDefinition(after).value.variants).toEqual([{ name: "a" }, { name: "b" }]);
  });

  test("a device that a variant did not have is made on one line", () => {
    expect(edited(TEXT, ["variants", 0, "device", "ncq"], 1)).toContain("device: {ncq: 1}");
  });

  test("a text that cannot be read is not touched", () => {
    expect(edited("a: [", ["title"], "x")).toBe("a: [");
    expect(edited("device: word\n", ["device", "ncq"], 1)).toBe("device: {ncq: 1}\n");
    expect(edited("workload: word\n", ["workload", "fio"], "x")).toBe("workload: word\n");
  });

  test("words that YAML would read as something else are quoted", () => {
    const after = edited(TEXT, ["title"], "yes: 1.0 # really");
    expect(readDefinition(after).value.title).toBe("yes: 1.0 # really");
    expect(readDefinition(edited(TEXT, ["title"], "12")).value.title).toBe("12");
  });
});

describe("lines", () => {
  // counted by hand in the text above
  test.each([
    [["title"], 2],
    [["device", "scheduler"], 4],
    [["workload", "fio"], 6],
    [["variants", 1], 14],
    [["variants", 1, "device"], 15],
    [["variants", 1, "kernel"], 14],
    [["nothing"], null],
  ])("%j is on line %j", (path, line) => {
    expect(lineOf(TEXT, path)).toBe(line);
  });
});

describe("a definition as text", () => {
  const document = JSON.parse(readFileSync(new URL("../api/openapi.generated.json", import.meta.url), "utf8"));
  const properties = document.components.schemas.Definition.properties as Record<string, { default?: unknown }>;

  test("the defaults left out are the server's", () => {
    const scalars = Object.entries(properties).filter(
      ([, property]) => "default" in property && (property.default === null || typeof property.default !== "object"),
    );
    expect(Object.fromEntries(scalars.map(([name, property]) => [name, property.default]))).toEqual(DEFAULTS);
  });

  test("what was written comes back, without what nobody wrote", () => {
    const whole = {
      title: "t",
      description: "",
      runner: "simulator",
      machine: { profile: null, cpus: null, memory: null },
      kernel: null,
      clock: "virtual",
      device: { profile: "stalling", scheduler: "none", nr_requests: null, ncq: 1 },
      filesystem: { type: "raw", mkfs: "", mount: "" },
      sysctl: {},
      workload: { fio: "[a]\nrw=read\n", unixbench: null, compilebench: null, fstests: null, replay: null },
      files: {},
      environment: {},
      variants: [
        { name: "a", patches: [], mechanisms: {}, kernel: null, machine: {}, device: {}, filesystem: {}, sysctl: {} },
        {
          name: "b",
          patches: [],
          mechanisms: {},
          kernel: null,
          machine: {},
          device: { ncq: 32 },
          filesystem: {},
          sysctl: {},
        },
      ],
      matrix: {},
      repeat: 10,
      primary: ["read.iops"],
      order: "interleaved",
      seed: 1,
      threshold_percent: 2,
      timeout: 600,
    } as unknown as Definition;
    const text = definitionText(whole);
    expect(text).toBe(`title: t
runner: simulator
device: {profile: stalling, scheduler: none, ncq: 1}
workload:
  fio: |
    [a]
    rw=read
variants:
  - name: a
  - name: b
    device: {ncq: 32}
repeat: 10
primary: [read.iops]
`);
    expect(parse(text)).toMatchObject({ device: { ncq: 1 }, repeat: 10 });
  });

  test("zero and false are values, not gaps", () => {
    const text = definitionText({
      device: { profile: "x", discard: 0, flag: false },
      seed: 0,
    } as unknown as Definition);
    expect(parse(text)).toEqual({ device: { profile: "x", discard: 0, flag: false }, seed: 0 });
  });
});

test.each([
  ["12", 12],
  ["-3", -3],
  ["1.5", 1.5],
  ["1e3", 1000],
  ["true", true],
  ["none", "none"],
  ["9007199254740993", "9007199254740993"],
  ["0x10", "0x10"],
  ["", ""],
])("the field %j is the value %j", (typed, value) => {
  expect(scalarOf(typed)).toBe(value);
});
