import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";

import type { PatchDetail } from "../api/types";
import { RangeDiff } from "../diff/range-diff";
import { patchesQuery } from "../queries/patches";

/** What changed since another version: one in the same text, or a series of the same title that was brought before. */
export function Versions({ detail }: { detail: PatchDetail }) {
  const here = detail.series.versions.length > 1;
  const others = useInfiniteQuery(patchesQuery(detail.title.slice(0, 200)));
  const offered = (others.data?.pages[0]?.items ?? []).filter((item) => item.id !== detail.id);
  const [older, setOlder] = useState(here ? "here" : "");
  if (!here && offered.length === 0) return null;
  return (
    <section className="card stack" style={{ gap: "var(--s3)" }} aria-labelledby="versions-title">
      <h2 id="versions-title">What changed since</h2>
      <select
        className="input"
        style={{ maxWidth: "30rem" }}
        aria-label="The older version"
        value={older}
        onChange={(event) => setOlder(event.target.value)}
      >
        {!here && <option value="">choose the older version</option>}
        {here && <option value="here">version {detail.series.versions.at(-2)}, in the same text</option>}
        {offered.map((item) => (
          <option key={item.id} value={item.id}>
            version {item.version}: {item.title} ({item.id.slice(0, 8)})
          </option>
        ))}
      </select>
      {older && <RangeDiff id={detail.id} older={older === "here" ? undefined : older} />}
    </section>
  );
}
