import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link, useLocation, useSearch } from "wouter";

import type { ExperimentSummary, State, Verdict } from "../api/types";
import { addressOf, type Filters, filtersOf, STATES, VERDICTS } from "../logic/filters";
import { isOver } from "../logic/live";
import { experimentsQuery } from "../queries/experiments";
import { useSettled } from "../queries/lint";
import { Fault, Skeleton } from "../ui/feedback";
import { Progress, StateMark, VerdictMark } from "../ui/marks";
import { Age } from "../ui/time";

export function ExperimentList() {
  const search = useSearch();
  const filters = filtersOf(search);
  const list = useInfiniteQuery(experimentsQuery(filters));
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  const filtered = Boolean(filters.state ?? filters.verdict ?? filters.words);
  return (
    <>
      <FilterBar filters={filters} />
      {list.isError && items.length === 0 ? (
        <div style={{ padding: "var(--s4)" }}>
          <Fault error={list.error} again={() => void list.refetch()} />
        </div>
      ) : list.isPending ? (
        <Placeholders />
      ) : items.length === 0 ? (
        <Empty filtered={filtered} />
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

function FilterBar({ filters }: { filters: Filters }) {
  const [, navigate] = useLocation();
  const [words, setWords] = useState(filters.words ?? "");
  const settled = useSettled(words);
  const go = (next: Filters) => navigate(addressOf(next), { replace: true });

  useEffect(() => {
    if (settled !== (filters.words ?? "") && settled === words) go({ ...filters, words: settled });
    // only what was typed moves the address; the address moves the field below
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [settled]);

  return (
    <div className="filters" role="search">
      <input
        className="input"
        type="search"
        data-filter
        aria-label="Words in the title"
        placeholder="Words in the title"
        maxLength={200}
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      <select
        className="input"
        aria-label="State"
        value={filters.state ?? ""}
        onChange={(event) => go({ ...filters, state: (event.target.value || undefined) as State | undefined })}
      >
        <option value="">any state</option>
        {STATES.map((state) => (
          <option key={state}>{state}</option>
        ))}
      </select>
      <select
        className="input"
        aria-label="Verdict"
        value={filters.verdict ?? ""}
        onChange={(event) => go({ ...filters, verdict: (event.target.value || undefined) as Verdict | undefined })}
      >
        <option value="">any verdict</option>
        {VERDICTS.map((verdict) => (
          <option key={verdict}>{verdict}</option>
        ))}
      </select>
    </div>
  );
}

function Item({ item }: { item: ExperimentSummary }) {
  const over = isOver(item.state);
  return (
    <li>
      <Link href={`/experiments/${item.id}`} className="title">
        {item.title}
      </Link>
      {item.verdict && item.state === "done" ? (
        <VerdictMark verdict={item.verdict} />
      ) : (
        <StateMark state={item.state} />
      )}
      {over ? (
        <p className="headline">{item.headline ?? "The comparison is being made."}</p>
      ) : (
        <div style={{ gridColumn: "1 / -1", padding: "0.5rem 0 0.35rem" }}>
          <Progress fraction={item.runs_total ? item.runs_ended / item.runs_total : 0} label="Runs that have ended" />
        </div>
      )}
      <p className="meta soft small">
        {item.verdict && item.state !== "done" && `${item.verdict} · `}
        {item.runner} · {over && item.runs_ended === item.runs_total ? "" : `${item.runs_ended} of `}
        {item.runs_total} runs · <Age ms={item.created_ms} />
      </p>
    </li>
  );
}

function Empty({ filtered }: { filtered: boolean }) {
  return (
    <div
      className="stack"
      style={{ padding: "var(--s6) var(--s4)", textAlign: "center", minHeight: "18rem", alignContent: "center" }}
    >
      {filtered ? (
        <>
          <p>No experiment matches.</p>
          <p>
            <Link href="/">Show all experiments</Link>
          </p>
        </>
      ) : (
        <>
          <p>
            <strong>Nothing has been run here yet.</strong>
          </p>
          <p className="soft">
            Run one of the examples, or <Link href="/new">paste a fio job</Link> of your own.
          </p>
        </>
      )}
    </div>
  );
}

function Placeholders() {
  return (
    <ul className="list" aria-busy="true" aria-label="Loading">
      {[0, 1, 2, 3, 4].map((row) => (
        <li key={row}>
          <Skeleton height="1.1rem" width="60%" />
          <Skeleton height="1.1rem" width="6rem" />
          <span className="headline">
            <Skeleton height="0.9rem" width="90%" />
          </span>
        </li>
      ))}
    </ul>
  );
}
