import "../home/home.css";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";

import type { PatchSummary } from "../api/types";
import { plural } from "../logic/paste";
import { useSettled } from "../queries/lint";
import { patchesQuery, useBringPatch } from "../queries/patches";
import { Fault, Skeleton } from "../ui/feedback";
import { Heading } from "../ui/shell";
import { Age } from "../ui/time";

/** The series that were brought here, and a box to bring another one. */
export default function Patches() {
  const [words, setWords] = useState("");
  const list = useInfiniteQuery(patchesQuery(useSettled(words)));
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <div className="stack">
      <Heading title="Patches" />
      <Bring />
      <section className="card" style={{ padding: 0 }} aria-label="Series">
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
        </div>
        {list.isError && items.length === 0 ? (
          <div style={{ padding: "var(--s4)" }}>
            <Fault error={list.error} again={() => void list.refetch()} />
          </div>
        ) : list.isPending ? (
          <Skeleton height="20rem" />
        ) : items.length === 0 ? (
          <p className="soft" style={{ padding: "var(--s5) var(--s4)" }}>
            {words ? "No series matches." : "No patch yet: bring one above."}
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
      </section>
    </div>
  );
}

/** A text, a file, an address or a Message-ID becomes a series. */
function Bring() {
  const [, navigate] = useLocation();
  const [text, setText] = useState("");
  const bring = useBringPatch();
  const submit = (content: string | File) =>
    bring.mutate(content, { onSuccess: (made) => navigate(`/patches/${made.id}`) });
  return (
    <form
      className="card stack"
      style={{ gap: "var(--s3)" }}
      aria-labelledby="bring-title"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim()) submit(text);
      }}
    >
      <h2 id="bring-title">Bring a patch</h2>
      <textarea
        className="input"
        aria-label="A mail, an mbox, a diff, or where it is"
        spellCheck={false}
        rows={text.includes("\n") ? 8 : 3}
        placeholder={
          "From: …\nSubject: [PATCH v2 1/3] …\n\nor an address on lore.kernel.org or patchwork, or a Message-ID"
        }
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="row spread">
        <input
          type="file"
          aria-label="A file with patches"
          style={{ maxWidth: "100%" }}
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (file) submit(file);
          }}
        />
        <button type="submit" className="button primary" disabled={!text.trim() || bring.isPending}>
          {bring.isPending ? "Reading…" : "Read it"}
        </button>
      </div>
      {bring.isError && <Fault error={bring.error} />}
    </form>
  );
}

function Item({ item }: { item: PatchSummary }) {
  const patches =
    item.total !== null && item.total !== item.patches
      ? `${item.patches} of ${item.total} patches`
      : plural(item.patches, "patch", "patches");
  return (
    <li>
      <Link href={`/patches/${item.id}`} className="title">
        {item.title}
      </Link>
      <span className="soft small">v{item.version}</span>
      <p className="headline">{item.author ?? ""}</p>
      <p className="meta soft small">
        {patches} · {plural(item.files, "file", "files")}, +{item.added} −{item.deleted} · <Age ms={item.created_ms} />
      </p>
    </li>
  );
}
