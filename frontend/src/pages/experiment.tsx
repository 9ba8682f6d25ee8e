import "../experiment/experiment.css";

import { useQuery } from "@tanstack/react-query";

import { Refused } from "../api/client";
import type { Evidence, ExperimentDetail } from "../api/types";
import { Answer } from "../experiment/answer";
import { Environment } from "../experiment/environment";
import { Header } from "../experiment/header";
import { HeatMaps } from "../experiment/heat-map";
import { DefinitionText, Notices } from "../experiment/job";
import { Latency } from "../experiment/latency";
import { Live } from "../experiment/live";
import { Runs } from "../experiment/runs";
import { SeriesOverTime } from "../experiment/series";
import { Stages } from "../experiment/stages";
import { ComparisonTable } from "../experiment/table";
import { WhyIt } from "../experiment/why";
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
        <p role="status" className="hidden-text">
          {settled
            ? `The verdict: ${query.data.verdict ?? "none"}. ${query.data.headline ?? ""}`
            : `It is ${query.data.state}.`}
        </p>
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
      {query.isError ? <Fault error={query.error} again={() => void query.refetch()} /> : <Skeleton height="100vh" />}
    </div>
  );
}

function Settled({ experiment }: { experiment: ExperimentDetail }) {
  const comparison = useQuery(comparisonQuery(experiment.id));
  return (
    <>
      <Answer experiment={experiment} comparison={comparison.data} />
      {comparison.data ? (
        <>
          <HeatMaps comparison={comparison.data} />
          <ComparisonTable comparison={comparison.data} />
          {comparison.data.why.length > 0 && <WhyIt why={comparison.data.why} />}
          <Behind experiment={experiment} />
        </>
      ) : comparison.isError ? (
        <Fault error={comparison.error} again={() => void comparison.refetch()} />
      ) : (
        <Skeleton height="100vh" />
      )}
    </>
  );
}

/** What lies behind the answer. */
function Behind({ experiment }: { experiment: ExperimentDetail }) {
  const evidence = useQuery(evidenceQuery(experiment.id));
  const variants = experiment.definition.variants.map((variant) => variant.name);
  const job = experiment.definition.workload.fio ?? null;
  if (evidence.isPending) return <Skeleton height="100vh" />;
  return (
    <>
      {evidence.isError && <Fault error={evidence.error} again={() => void evidence.refetch()} />}
      {evidence.data && <Pictures evidence={evidence.data} variants={variants} />}
      <Runs experiment={experiment} />
      <div className="two">
        <Notices notices={evidence.data?.notices ?? experiment.notices} job={job} />
        <DefinitionText definition={experiment.definition} digest={experiment.digest} />
      </div>
      {evidence.data && <Environment evidence={evidence.data} variants={variants} />}
    </>
  );
}

function Pictures({ evidence, variants }: { evidence: Evidence; variants: readonly string[] }) {
  return (
    <>
      {evidence.latencies.length > 0 && (
        <Latency curves={evidence.latencies} quantiles={evidence.quantiles} variants={variants} />
      )}
      {evidence.series.length > 0 && <SeriesOverTime bands={evidence.series} variants={variants} />}
      {evidence.stages.length > 0 && <Stages stages={evidence.stages} variants={variants} />}
    </>
  );
}
