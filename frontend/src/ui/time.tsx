import { useEffect, useState } from "react";

import { age, duration, moment } from "../logic/time";

/** The present, in milliseconds since the epoch, as often as asked. */
export function useNow(everyMs: number, running = true): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, running]);
  return now;
}

export function Age({ ms }: { ms: number }) {
  const now = useNow(30_000);
  return (
    <time dateTime={new Date(ms).toISOString()} title={moment(ms)}>
      {age(ms, now)}
    </time>
  );
}

export function Elapsed({ fromMs, toMs }: { fromMs: number; toMs: number | null }) {
  const now = useNow(500, toMs === null);
  return <span>{duration((toMs ?? now) - fromMs)}</span>;
}
