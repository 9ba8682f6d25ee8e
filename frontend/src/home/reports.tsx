import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";

import type { ReportSummary } from "../api/types";
import { plural } from "../logic/paste";
import { useSettled } from "../queries/lint";
import { reportsQuery } from "../queries/reports";
import { Fault, Skeleton } from "../ui/feedback";
import { VerdictMark } from "../ui/marks";
import { Age } from "../ui/time";

/** Results that were measured elsewhere, newest first. */
export function ReportList() {
  const [words, setWords] = useState("");
  const list = useInfiniteQuery(reportsQuery(useSettled(words)));
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <div className="filters" role="search">
        <input
          className="input"
          type="search"
          data-filter
          aria-label="Words in the title"
          placeholder="Search titles"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      </div>
      {list.isError ? (
        <div style={{ padding: "var(--s4)" }}>
          <Fault error={list.error} again={() => void list.refetch()} />
        </div>
      ) : list.isPending ? (
        <Skeleton height="20rem" />
      ) : items.length === 0 ? (
        <p className="soft" style={{ padding: "var(--s5) var(--s4)" }}>
          {words ? "No report matches." : "No report yet: paste benchmark output or a mail above."}
        </p>
      ) : (
        <ul className="list">
          {items.map((item) => (
            <Item key={item.id} item={item} />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <p className="row" style={{ justifyContent: "center", padding: "var(--s3)" }}>
          <button
            type="button"
            className="button"
            disabled={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {list.isFetchingNextPage ? "Loading…" : "Show more"}
          </button>
        </p>
      )}
    </>
  );
}

function Item({ item }: { item: ReportSummary }) {
  return (
    <li>
      <Link href={`/reports/${item.id}`} className="title">
        {item.title}
      </Link>
      {item.verdict ? <VerdictMark verdict={item.verdict} /> : <span className="soft small">not compared</span>}
      <p className="headline">{item.headline ?? ""}</p>
      <p className="meta soft small">
        {item.kind} · {plural(item.figures, "figure", "figures")} · <Age ms={item.created_ms} />
      </p>
    </li>
  );
}
