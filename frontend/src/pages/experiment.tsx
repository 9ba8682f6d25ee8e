import "../experiment/experiment.css";

import { useQuery } from "@tanstack/react-query";

import { Refused } from "../api/client";
import type { ExperimentDetail } from "../api/types";
import { Answer } from "../experiment/answer";
import { Environment } from "../experiment/environment";
import { Header } from "../experiment/header";
import { DefinitionText, Notices } from "../experiment/job";
import { Latency } from "../experiment/latency";
import { Live } from "../experiment/live";
import { Runs } from "../experiment/runs";
import { SeriesOverTime } from "../experiment/series";
import { Stages } from "../experiment/stages";
import { ComparisonTable } from "../experiment/table";
import { isSettled } from "../logic/live";
import { comparisonQuery, evidenceQuery, experimentQuery } from "../queries/experiments";
import { useFollow } from "../queries/follow";
import { Fault, Skeleton } from "../ui/feedback";
import { Heading } from "../ui/shell";
import { NotFound } from "./not-found";

/** One experiment: how it goes while it runs, and the answer with its evidence once it is over. */
export default function Experiment({ id }: { id: string }) {
  const query = useQuery(experimentQuery(id));
  const following = useFollow(id, query.data);
  if (query.data) {
    const settled = isSettled(query.data);
    return (
      <div className="stack">
        <Header experiment={query.data} />
        {settled ? <Settled experiment={query.data} /> : <Live experiment={query.data} following={following} />}
        {!settled && (
          <div className="two">
            <Notices notices={query.data.notices} job={query.data.definition.workload.fio ?? null} />
            <DefinitionText definition={query.data.definition} digest={query.data.digest} />
          </div>
        )}
      </div>
    );
  }
  if (query.error instanceof Refused && query.error.status === 404) {
    return <NotFound what="There is no such experiment on this server." />;
  }
  return (
    <div className="stack">
      <Heading title="Experiment" />
      {query.isError ? <Fault error={query.error} again={() => void query.refetch()} /> : <Skeleton height="30rem" />}
    </div>
  );
}

function Settled({ experiment }: { experiment: ExperimentDetail }) {
  const comparison = useQuery(comparisonQuery(experiment.id));
  const evidence = useQuery(evidenceQuery(experiment.id));
  const variants = experiment.definition.variants.map((variant) => variant.name);
  const job = experiment.definition.workload.fio ?? null;
  return (
    <>
      <Answer experiment={experiment} comparison={comparison.data} />
      {comparison.data ? (
        <ComparisonTable comparison={comparison.data} />
      ) : comparison.isError ? (
        <Fault error={comparison.error} again={() => void comparison.refetch()} />
      ) : (
        <Skeleton height="20rem" />
      )}
      {evidence.data ? (
        <>
          {evidence.data.latencies.length > 0 && <Latency curves={evidence.data.latencies} variants={variants} />}
          {evidence.data.series.length > 0 && <SeriesOverTime bands={evidence.data.series} variants={variants} />}
          {evidence.data.stages.length > 0 && <Stages stages={evidence.data.stages} variants={variants} />}
        </>
      ) : evidence.isError ? (
        <Fault error={evidence.error} again={() => void evidence.refetch()} />
      ) : (
        <Skeleton height="30rem" />
      )}
      <Runs experiment={experiment} />
      <div className="two">
        <Notices notices={evidence.data?.notices ?? experiment.notices} job={job} />
        <DefinitionText definition={experiment.definition} digest={experiment.digest} />
      </div>
      {evidence.data && <Environment evidence={evidence.data} variants={variants} />}
    </>
  );
}
