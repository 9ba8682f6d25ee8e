import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";

import type { ExperimentDetail } from "../api/types";
import { isOver, isSettled } from "../logic/live";
import { moment } from "../logic/time";
import { comparisonTextQuery, pressKey, useCancel, useRerun } from "../queries/experiments";
import { CopyButton } from "../ui/copy";
import { Fault } from "../ui/feedback";
import { StateMark } from "../ui/marks";
import { Heading } from "../ui/shell";
import { Elapsed } from "../ui/time";
import { Share } from "./share";

/** The title, the state, and what can be done with the experiment. */
export function Header({ experiment }: { experiment: ExperimentDetail }) {
  return (
    <header className="stack" style={{ gap: "var(--s3)" }}>
      <div className="row spread" style={{ alignItems: "flex-start" }}>
        <div style={{ flex: "1 1 20rem", minWidth: 0 }}>
          <Heading title={experiment.title} />
        </div>
        <Actions experiment={experiment} />
      </div>
      <Facts experiment={experiment} />
    </header>
  );
}

function Facts({ experiment }: { experiment: ExperimentDetail }) {
  const { definition } = experiment;
  const scheduler = definition.device.scheduler;
  return (
    <dl className="facts" style={{ alignItems: "center" }}>
      <div>
        <dt className="hidden-text">State</dt>
        <dd>
          <StateMark state={experiment.state} />
        </dd>
      </div>
      <div>
        <dt>runner</dt>
        <dd>{experiment.runner}</dd>
      </div>
      <div>
        <dt>device</dt>
        <dd>
          {definition.device.profile}
          {scheduler ? `, ${scheduler}` : ""}
        </dd>
      </div>
      <div>
        <dt>begun</dt>
        <dd>{moment(experiment.created_ms)}</dd>
      </div>
      {experiment.started_ms !== null && isOver(experiment.state) && (
        <div>
          <dt>took</dt>
          <dd>
            <Elapsed fromMs={experiment.started_ms} toMs={experiment.ended_ms} />
          </dd>
        </div>
      )}
      {experiment.rerun_of && (
        <div>
          <dt>rerun of</dt>
          <dd>
            <Link href={`/experiments/${experiment.rerun_of}`}>an earlier experiment</Link>
          </dd>
        </div>
      )}
    </dl>
  );
}

function Actions({ experiment }: { experiment: ExperimentDetail }) {
  const [, navigate] = useLocation();
  const cancel = useCancel(experiment.id);
  const rerun = useRerun(experiment.id);
  const settled = isSettled(experiment);
  const text = useQuery({ ...comparisonTextQuery(experiment.id), enabled: settled });
  return (
    <div className="stack" style={{ gap: "var(--s2)" }}>
      <div className="actions">
        {isOver(experiment.state) ? (
          <>
            {settled && <CopyButton text={text.data}>Copy text table</CopyButton>}
            {settled && <Share of="experiment" id={experiment.id} />}
            <button
              type="button"
              className="button"
              disabled={rerun.isPending}
              onClick={() => rerun.mutate(pressKey(), { onSuccess: (made) => navigate(`/experiments/${made.id}`) })}
            >
              Rerun
            </button>
          </>
        ) : (
          <button
            type="button"
            className="button"
            disabled={cancel.isPending || experiment.cancel_requested}
            onClick={() => cancel.mutate()}
          >
            {experiment.cancel_requested ? "Cancelling…" : "Cancel"}
          </button>
        )}
        <Link href={`/new?from=${experiment.id}`} className="button">
          New from this
        </Link>
      </div>
      {cancel.isError && <Fault error={cancel.error} />}
      {rerun.isError && <Fault error={rerun.error} />}
    </div>
  );
}
