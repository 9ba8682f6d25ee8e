import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import type { ExperimentDetail, RunSummary } from "../api/types";
import { groupLabel } from "../logic/comparison";
import { isOver } from "../logic/live";
import { duration, moment } from "../logic/time";
import { formatValue } from "../logic/units";
import { runQuery } from "../queries/experiments";
import { Fault, Skeleton } from "../ui/feedback";
import { StateMark, Swatch } from "../ui/marks";
import { Scroll } from "../ui/scroll";

const SHOWN_FIRST = 20;
const SHOWN_MORE = 100;

/** Every run with how it ended; its files and raw data on demand. */
export function Runs({ experiment }: { experiment: ExperimentDetail }) {
  const [most, setMost] = useState(SHOWN_FIRST);
  const [failedOnly, setFailedOnly] = useState(false);
  const failed = experiment.runs.filter((run) => run.state === "failed").length;
  const runs = failedOnly ? experiment.runs.filter((run) => run.state === "failed") : experiment.runs;
  const variants = experiment.definition.variants.map((variant) => variant.name);
  return (
    <section className="card" aria-labelledby="runs-title" data-testid="runs">
      <div className="table-tools">
        <h2 id="runs-title">Runs</h2>
        {failed > 0 && (
          <label className="row small">
            <input type="checkbox" checked={failedOnly} onChange={(event) => setFailedOnly(event.target.checked)} />
            only the {failed} failed
          </label>
        )}
      </div>
      <Scroll label="Runs">
        <table className="data">
          <thead>
            <tr>
              <th scope="col" className="number">
                #
              </th>
              <th scope="col">variant</th>
              <th scope="col" className="number">
                seed
              </th>
              <th scope="col">state</th>
              <th scope="col" className="number">
                took
              </th>
              <th scope="col">worker</th>
              <th scope="col">files and failure</th>
            </tr>
          </thead>
          <tbody>
            {runs.slice(0, most).map((run) => (
              <RunRow key={run.id} run={run} variants={variants} />
            ))}
          </tbody>
        </table>
      </Scroll>
      {runs.length > most && (
        <p style={{ marginTop: "var(--s3)" }}>
          <button type="button" className="button" onClick={() => setMost(most + SHOWN_MORE)}>
            Show more of {runs.length}
          </button>
        </p>
      )}
    </section>
  );
}

function RunRow({ run, variants }: { run: RunSummary; variants: readonly string[] }) {
  const [open, setOpen] = useState(false);
  const cell = groupLabel(run.cell);
  return (
    <tr>
      <td className="number">{run.position + 1}</td>
      <th scope="row" style={{ fontWeight: 400 }} className="nowrap">
        <Swatch index={variants.indexOf(run.variant)} />
        {run.variant}
        {cell && <div className="soft">{cell}</div>}
      </th>
      <td className="number">{run.seed}</td>
      <td>
        <StateMark state={run.state} />
        {run.attempt > 1 && <div className="soft">attempt {run.attempt}</div>}
      </td>
      <td className="number" title={run.started_ms === null ? undefined : moment(run.started_ms)}>
        {run.started_ms !== null && run.ended_ms !== null ? duration(run.ended_ms - run.started_ms) : "–"}
      </td>
      <td className="soft anywhere" style={{ minWidth: "6rem" }}>
        {run.worker ?? "–"}
      </td>
      <td style={{ minWidth: "14rem" }}>
        {run.failure && (
          <p className="fault">
            {run.failure.phase}: {run.failure.message}
          </p>
        )}
        {isOver(run.state) && run.state !== "cancelled" && (
          <button type="button" className="button link" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? "Close" : "Files and values"}
          </button>
        )}
        {open && <RunFiles id={run.id} />}
      </td>
    </tr>
  );
}

function RunFiles({ id }: { id: string }) {
  const run = useQuery(runQuery(id));
  if (run.isPending) return <Skeleton height="4rem" />;
  if (run.isError) return <Fault error={run.error} again={() => void run.refetch()} />;
  return (
    <div className="stack" style={{ gap: "var(--s2)", marginTop: "var(--s2)" }}>
      <ul>
        {run.data.artifacts.map((file) => (
          <li key={file.name}>
            <a href={`/api/v1/runs/${id}/artifacts/${encodeURIComponent(file.name)}`}>{file.name}</a>{" "}
            <span className="soft">{formatValue(file.size_bytes, "B")}</span>
          </li>
        ))}
        <li>
          <a href={`/api/v1/runs/${id}`}>everything as JSON</a>
        </li>
      </ul>
      {run.data.samples.length > 0 && (
        <details>
          <summary>{run.data.samples.length} values</summary>
          <table className="data">
            <tbody>
              {run.data.samples.map((sample) => (
                <tr key={`${sample.metric} ${groupLabel(sample.group ?? {})}`}>
                  <th scope="row" style={{ fontWeight: 400 }}>
                    {sample.metric} <span className="soft">{groupLabel(sample.group ?? {})}</span>
                  </th>
                  <td className="number">{formatValue(sample.value, sample.unit)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </div>
  );
}
