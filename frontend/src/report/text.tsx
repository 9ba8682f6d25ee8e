import { useQuery, type UseQueryOptions } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";

import { reportTextQuery } from "../queries/reports";
import { Fault, Skeleton } from "../ui/feedback";

/** Lines drawn around the one that is shown; a log may have a hundred thousand. */
const AROUND = 400;

/** The text as it was brought, by lines; `place` asks for one of them. */
export function Text({ id, place }: { id: string; place: { number: number } | null }) {
  return <TextLines query={reportTextQuery(id)} place={place} />;
}

/** The lines of any text that a query brings. */
export function TextLines<Key extends readonly unknown[]>({
  query,
  place,
}: {
  query: UseQueryOptions<string, Error, string, Key>;
  place: { number: number } | null;
}) {
  const [open, setOpen] = useState(false);
  const [asked, setAsked] = useState(place);
  if (place !== asked) {
    setAsked(place);
    if (place) setOpen(true);
  }
  const text = useQuery({ ...query, enabled: open });
  const mark = useRef<HTMLLIElement>(null);
  useEffect(() => {
    mark.current?.scrollIntoView({ block: "center" });
    mark.current?.focus({ preventScroll: true });
  }, [place, text.data]);
  const lines = text.data?.split("\n") ?? [];
  const middle = place?.number ?? 1;
  const first = Math.max(1, middle - AROUND);
  const last = Math.min(lines.length, middle + AROUND);
  return (
    <details className="card" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <strong>The text</strong> <span className="soft">as it came, by lines</span>
      </summary>
      {text.isPending && open && <Skeleton height="20rem" />}
      {text.isError && <Fault error={text.error} again={() => void text.refetch()} />}
      {open && text.data !== undefined && (
        <>
          {first > 1 && <p className="soft small">{first - 1} lines before these are not shown.</p>}
          <ol className="text-lines" start={first}>
            {lines.slice(first - 1, last).map((line, index) => {
              const number = first + index;
              const shown = number === place?.number;
              return (
                <li
                  key={number}
                  ref={shown ? mark : null}
                  className={shown ? "shown" : ""}
                  tabIndex={shown ? -1 : undefined}
                >
                  {line || " "}
                </li>
              );
            })}
          </ol>
          {last < lines.length && <p className="soft small">{lines.length - last} lines after these are not shown.</p>}
        </>
      )}
    </details>
  );
}
