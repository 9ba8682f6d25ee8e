import { useMemo } from "react";

import type { Definition, Notice } from "../api/types";
import { definitionText } from "../logic/definition";
import { CopyButton } from "../ui/copy";

/** What a reader has to know about the result, each at its line of the job where it has one. */
export function Notices({ notices, job }: { notices: readonly Notice[]; job: string | null }) {
  const general = notices.filter((notice) => job === null || !notice.line);
  return (
    <section className="card stack" aria-labelledby="notices-title" data-testid="notices">
      <h2 id="notices-title">{job === null ? "To be known" : "The job, and what was made of it"}</h2>
      {general.length > 0 && (
        <ul className="stack" style={{ gap: "var(--s2)" }}>
          {general.map((notice) => (
            <li
              key={`${notice.line} ${notice.message}`}
              className={`note small ${notice.severity === "warning" ? "warn" : ""}`}
            >
              {notice.message}
            </li>
          ))}
        </ul>
      )}
      {job !== null && <JobLines job={job} notices={notices} />}
    </section>
  );
}

function JobLines({ job, notices }: { job: string; notices: readonly Notice[] }) {
  const lines = useMemo(() => job.replace(/\n$/, "").split("\n"), [job]);
  return (
    <ol className="job" tabIndex={0} aria-label="The job file">
      {lines.flatMap((line, index) => [
        <li key={index}>
          <span>{index + 1}</span>
          <span>{line}</span>
        </li>,
        ...notices
          .filter((notice) => notice.line === index + 1)
          .map((notice) => (
            <li key={`${index} ${notice.message}`} className={`remark ${notice.severity}`}>
              <span aria-hidden="true">↳</span>
              <span>{notice.message}</span>
            </li>
          )),
      ])}
    </ol>
  );
}

export function DefinitionText({ definition, digest }: { definition: Definition; digest: string }) {
  const text = useMemo(() => definitionText(definition), [definition]);
  return (
    <section className="card" aria-labelledby="definition-title">
      <div className="row spread" style={{ marginBottom: "var(--s3)" }}>
        <h2 id="definition-title">Definition</h2>
        <CopyButton text={text}>Copy</CopyButton>
      </div>
      <pre className="text" tabIndex={0}>
        {text}
      </pre>
      <p className="small soft anywhere" style={{ marginTop: "var(--s2)" }}>
        Digest <span className="mono">{digest}</span>
      </p>
    </section>
  );
}
