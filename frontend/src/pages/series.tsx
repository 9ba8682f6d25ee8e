import "../report/report.css";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { Refused } from "../api/client";
import type { PatchDetail } from "../api/types";
import { summary } from "../logic/series";
import { remembered } from "../logic/storage";
import { moment } from "../logic/time";
import { PatchFigures } from "../patches/figures";
import { PatchDetails } from "../patches/patch";
import { Versions } from "../patches/versions";
import { patchQuery, patchTextQuery } from "../queries/patches";
import { TextLines } from "../report/text";
import { Warnings } from "../report/warnings";
import { CopyButton } from "../ui/copy";
import { Fault, Skeleton } from "../ui/feedback";
import { Heading } from "../ui/shell";
import { NotFound } from "./not-found";

/** One series: its patches and their diffs, what is doubtful, the figures in the text, what changed since a version. */
export default function Series({ id }: { id: string }) {
  const query = useQuery(patchQuery(id));
  if (query.data) return <Whole detail={query.data} />;
  if (query.error instanceof Refused && [404, 422].includes(query.error.status)) {
    return <NotFound what="There is no such patch series on this server." />;
  }
  return (
    <div className="stack">
      <Heading title="Patches" />
      {query.isError ? <Fault error={query.error} again={() => void query.refetch()} /> : <Skeleton height="100vh" />}
    </div>
  );
}

function Whole({ detail }: { detail: PatchDetail }) {
  const [line, setLine] = useState<{ number: number } | null>(null);
  const go = (number: number) => setLine({ number });
  useSteps();
  return (
    <div className="stack">
      <Header detail={detail} />
      {detail.warnings.length > 0 && <Warnings warnings={detail.warnings} go={go} />}
      <PatchFigures detail={detail} go={go} />
      <section className="stack" style={{ gap: "var(--s3)" }} aria-labelledby="patches-title">
        <h2 id="patches-title">Patches</h2>
        {detail.patches.map((patch, number) => (
          <PatchDetails
            key={`${number} ${patch.line}`}
            id={detail.id}
            number={number}
            patch={patch}
            open={detail.patches.length === 1 || patch.position === 0}
          />
        ))}
      </section>
      <Versions detail={detail} />
      <TextLines query={patchTextQuery(detail.id)} place={line} />
    </div>
  );
}

function Header({ detail }: { detail: PatchDetail }) {
  const { series } = detail;
  const kept = [
    series.base_commit !== null && `base-commit ${series.base_commit.slice(0, 12)}`,
    series.change_id !== null && `change-id ${series.change_id}`,
    series.prerequisites.length > 0 && `${series.prerequisites.length} prerequisites`,
  ].filter(Boolean);
  return (
    <header className="stack" style={{ gap: "var(--s3)" }}>
      <div className="row spread" style={{ alignItems: "flex-start" }}>
        <div style={{ flex: "1 1 20rem", minWidth: 0 }}>
          <Heading title={detail.title} />
        </div>
        <div className="row">
          <CopyButton text={detail.id}>Copy id for a definition</CopyButton>
          <a className="button" href={`/api/v1/patches/${detail.id}/text`} download={`${detail.id.slice(0, 12)}.mbox`}>
            Download
          </a>
        </div>
      </div>
      <p className="soft" style={{ overflowWrap: "anywhere" }}>
        {[series.author, summary(detail), ...kept, `brought ${moment(detail.created_ms)}`].filter(Boolean).join(" · ")}
      </p>
      {detail.source && (
        <p className="soft small" style={{ overflowWrap: "anywhere" }}>
          from {detail.source}
        </p>
      )}
    </header>
  );
}

/** `j` and `k` go to the next and the previous patch. */
function useSteps() {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || (event.key !== "j" && event.key !== "k")) return;
      if (remembered("keys") === "off") return;
      if (event.target instanceof HTMLElement && event.target.closest("input, select, textarea, dialog")) return;
      const stops = [...document.querySelectorAll<HTMLElement>("[data-patch] > summary")];
      const at = stops.findIndex((stop) => stop.parentElement?.contains(document.activeElement));
      const next = event.key === "j" ? at + 1 : Math.max(0, at - 1);
      stops[Math.min(next, stops.length - 1)]?.focus();
      event.preventDefault();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}
