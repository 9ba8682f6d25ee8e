const SETS: [number, readonly number[]][] = [
  [1, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [2, [1, 2, 5]],
  [3.5, [1, 3]],
  [Infinity, [1]],
];

/** Of a logarithmic axis' splits those worth a line and a label, by how many decades there are; others become null. */
export function logTicks(splits: readonly number[], low: number, high: number): (number | null)[] {
  const decades = Math.log10(high / low);
  const digits = SETS.find(([most]) => decades <= most)?.[1] ?? [1];
  return splits.map((value) => {
    const digit = value / 10 ** Math.floor(Math.log10(value) + 1e-9);
    return digits.includes(Math.round(digit)) && Math.abs(digit - Math.round(digit)) < 1e-6 ? value : null;
  });
}
