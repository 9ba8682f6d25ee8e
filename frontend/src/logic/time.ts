/** How long ago something was, coarsely: `just now`, `4 min ago`, `3 h ago`, `2 days ago`, then the date. */
export function age(thenMs: number, nowMs: number): string {
  const seconds = Math.max(0, (nowMs - thenMs) / 1000);
  if (seconds < 45) return "just now";
  if (seconds < 3570) return `${Math.max(1, Math.round(seconds / 60))} min ago`;
  if (seconds < 86_400) return `${Math.round(seconds / 3600)} h ago`;
  const days = Math.round(seconds / 86_400);
  if (days < 30) return days === 1 ? "1 day ago" : `${days} days ago`;
  return new Date(thenMs).toLocaleDateString(undefined, { year: "numeric", month: "short", day: "numeric" });
}

/** A moment in the reader's own time zone, to the second. */
export function moment(ms: number): string {
  return new Date(ms).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
}

/** A length of time: `0.42 s`, `12 s`, `3 min 05 s`, `1 h 02 min`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) return `${seconds.toFixed(seconds < 1 ? 2 : 1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, "0")} s`;
  return `${Math.floor(whole / 3600)} h ${String(Math.floor((whole % 3600) / 60)).padStart(2, "0")} min`;
}
