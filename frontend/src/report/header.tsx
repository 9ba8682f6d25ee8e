import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";

import { Share } from "../experiment/share";
import { plural } from "../logic/paste";
import { moment } from "../logic/time";
import { type Report, reportTableQuery } from "../queries/reports";
import { CopyButton } from "../ui/copy";
import { VerdictMark } from "../ui/marks";
import { Heading } from "../ui/shell";

const FORMATS = [
  ["txt", "text for a mail"],
  ["csv", "CSV"],
  ["svg", "picture"],
] as const;

/** The title, the answer, and what can be done with the report. */
export function Header({ report }: { report: Report }) {
  const compared = report.comparison !== null;
  const table = useQuery({ ...reportTableQuery(report.id, JSON.stringify(report.pairing)), enabled: compared });
  const base = `/api/v1/reports/${report.id}`;
  return (
    <>
      <header className="stack" style={{ gap: "var(--s3)" }}>
        <div className="row spread" style={{ alignItems: "flex-start" }}>
          <div style={{ flex: "1 1 20rem", minWidth: 0 }}>
            <Heading title={report.title} />
          </div>
          <div className="actions">
            {compared && <CopyButton text={table.data}>Copy text table</CopyButton>}
            <Share of="report" id={report.id} />
            {report.definition !== null && (
              <Link href={`/new?report=${report.id}`} className="button primary">
                Make this an experiment
              </Link>
            )}
          </div>
        </div>
        <p className="soft">
          Measured elsewhere, as published · {report.kind} · {plural(report.results_total, "figure", "figures")} ·
          brought {moment(report.created_ms)}
        </p>
      </header>
      <section className="card answer" aria-labelledby="answer-title" data-testid="answer">
        <h2 id="answer-title" className="hidden-text">
          Verdict
        </h2>
        <div className="row">
          {report.verdict && <VerdictMark verdict={report.verdict} large />}
          <p className="headline" style={{ flex: "1 1 24rem" }}>
            {report.headline ?? "Nothing in this text could be paired, so there is no comparison."}
          </p>
        </div>
        <p className="row small">
          <span className="soft">Download</span>
          {compared &&
            FORMATS.map(([suffix, name]) => (
              <a key={suffix} href={`${base}/comparison.${suffix}`} download={`lodestone-${report.id}.${suffix}`}>
                {name} (.{suffix})
              </a>
            ))}
          <a href={`${base}/document`} download={`lodestone-${report.id}.json`}>
            everything (.json)
          </a>
          <a href={`${base}/text`} download={`lodestone-${report.id}.txt`}>
            the text as it came
          </a>
        </p>
        {report.comparison && report.comparison.notes.length > 0 && (
          <ul className="notes">
            {report.comparison.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}
