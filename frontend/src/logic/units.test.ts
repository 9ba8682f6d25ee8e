import { describe, expect, test } from "vitest";

import { formatChange, formatCount, formatRatio, formatTick, formatValue, readable, significant } from "./units";

describe("values as people read them", () => {
  // hand-written from the rules of the server's format_value: fio's scales, four significant digits
  test.each([
    [12_400, "ns", "12.40 µs"],
    [999, "ns", "999.0 ns"],
    [1_000_000, "ns", "1.000 ms"],
    [262_100_000, "ns", "262.1 ms"],
    [2_500_000_000, "ns", "2.500 s"],
    [24.31 * 1024 ** 2, "B/s", "24.31 MiB/s"],
    [1023, "B", "1023 B"],
    [1024 ** 3, "B", "1.000 GiB"],
    [9_999, "IOPS", "9999 IOPS"],
    [10_000, "IOPS", "10.00k IOPS"],
    [62_200, "IOPS", "62.20k IOPS"],
    [1_250_000, "IOPS", "1.250M IOPS"],
    [3.5, "MB/s", "3.500 MB/s"],
    [7, "", "7.000"],
  ])("%d %s is %s", (value, unit, words) => {
    expect(formatValue(value, unit)).toBe(words);
  });

  test("a value that is no number is said, not hidden", () => {
    expect(formatValue(Number.NaN, "ns")).toBe("NaN ns");
  });

  test("numbers under a ten-thousandth take powers of ten, others never do", () => {
    expect(significant(0.000_012_34)).toBe("1.234e-5");
    expect(significant(0.000_123_4)).toBe("0.0001234");
    expect(significant(123_456)).toBe("123456");
    expect(significant(0)).toBe("0");
  });

  test("ticks lose the zeros that say nothing", () => {
    expect(formatTick(1e6, "ns")).toBe("1 ms");
    expect(formatTick(2_500, "IOPS")).toBe("2500");
    expect(formatTick(12_500, "IOPS")).toBe("12.5k");
  });

  test("a ratio of 1.982 is an increase of 98.2 percent", () => {
    expect(formatRatio(1.982)).toBe("1.982×");
    expect(formatChange(1.982)).toBe("+98.2 %");
    expect(formatChange(0.5)).toBe("−50.0 %");
  });

  test("thousands are told apart in counts", () => {
    expect(formatCount(3_699_186)).toBe("3\u202f699\u202f186");
    expect(formatCount(999)).toBe("999");
  });

  test("only long figures with a known unit are said a second time", () => {
    expect(readable(2_000_000, "ns")).toBe("2.000 ms");
    expect(readable(4096, "bytes")).toBe("4.000 KiB");
    expect(readable(500, "ns")).toBeNull();
    expect(readable(7200, "1/min")).toBeNull();
    expect(readable("none", "ns")).toBeNull();
  });
});
