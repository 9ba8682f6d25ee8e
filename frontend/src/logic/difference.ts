/** The one replaced stretch between two texts, so that the cursor outside of it stays. */
export function difference(before: string, after: string): { from: number; to: number; insert: string } | null {
  if (before === after) return null;
  let from = 0;
  while (from < before.length && from < after.length && before[from] === after[from]) from += 1;
  let end = 0;
  while (
    end < before.length - from &&
    end < after.length - from &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end += 1;
  }
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}
