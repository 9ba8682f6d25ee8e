import { useMemo } from "react";

import type { ExperimentDetail } from "../api/types";
import type { Columns } from "../logic/curves";
import { fractionDone, remainingMs, type Throughput } from "../logic/live";
import { duration } from "../logic/time";
import { formatTick, formatValue } from "../logic/units";
import { Plot } from "../plots/lazy";
import type { Following } from "../queries/follow";
import { Progress, variantColour } from "../ui/marks";
import { Elapsed, useNow } from "../ui/time";
import { RunStrip } from "./strip";

/** What is known while an experiment waits and runs. */
export function Live({ experiment, following }: { experiment: ExperimentDetail; following: Following }) {
  const now = useNow(1000);
  const variants = experiment.definition.variants.map((variant) => variant.name);
  const left = remainingMs(experiment, now);
  const running = experiment.runs.filter((run) => run.state === "running");
  return (
    <section className="card stack" aria-labelledby="live-title" data-testid="live">
      <h2 id="live-title" className="hidden-text">
        Progress
      </h2>
      <Progress fraction={fractionDone(experiment)} label="Progress of the experiment" />
      <div className="row spread small">
        <span>
          <strong>
            {experiment.runs_ended} of {experiment.runs_total} runs
          </strong>{" "}
          {experiment.state === "queued"
            ? "· waiting for a worker"
            : experiment.started_ms !== null && (
                <>
                  · <Elapsed fromMs={experiment.started_ms} toMs={experiment.ended_ms} /> so far
                </>
              )}
          {left !== null && left > 0 && ` · about ${duration(left)} left`}
        </span>
        <span className="soft" role="status" style={{ minHeight: "1.3rem" }}>
          {following.reconnecting
            ? "Reconnecting…"
            : running.map((run) => nowWords(run.variant, run.progress?.iops)).join(" · ")}
        </span>
      </div>
      <RunStrip
        runs={experiment.runs}
        variants={variants}
        shown={experiment.runs_shown}
        total={experiment.runs_total}
      />
      {following.throughput.size > 0 && <ThroughputPlot experiment={experiment} throughput={following.throughput} />}
    </section>
  );
}

function nowWords(variant: string, iops: number | null | undefined): string {
  return typeof iops === "number" ? `${variant}: ${formatValue(iops, "IOPS")}` : `${variant} runs`;
}

const RUNS_DRAWN = 40;

function ThroughputPlot({
  experiment,
  throughput,
}: {
  experiment: ExperimentDetail;
  throughput: ReadonlyMap<string, readonly Throughput[]>;
}) {
  const drawn = useMemo(() => {
    const variants = experiment.definition.variants.map((variant) => variant.name);
    const runs = experiment.runs.filter((run) => throughput.has(run.id)).slice(-RUNS_DRAWN);
    const x = [...new Set(runs.flatMap((run) => (throughput.get(run.id) ?? []).map((point) => point.simulatedS)))].sort(
      (a, b) => a - b,
    );
    const columns = runs.map((run) => {
      const place = new Map((throughput.get(run.id) ?? []).map((point) => [point.simulatedS, point.iops]));
      return x.map((second) => place.get(second));
    });
    return {
      // undefined is a point that other lines have; null would break the line
      columns: [x, ...columns] as unknown as Columns,
      lines: runs.map((run) => ({
        label: `${run.variant} ${run.replicate + 1}`,
        colour: variantColour(variants.indexOf(run.variant)),
        width: run.state === "running" ? 2.5 : 1,
        marked: true,
      })),
    };
  }, [experiment.definition.variants, experiment.runs, throughput]);
  return (
    <div className="live-plot">
      <h3 className="small soft">Mean IOPS so far, a line a run</h3>
      <Plot
        columns={drawn.columns}
        lines={drawn.lines}
        x={{ label: "simulated time (s)", format: (value) => formatTick(value, ""), from: 0 }}
        y={{ label: "IOPS", format: (value) => formatTick(value, "IOPS"), from: 0 }}
        height={200}
        summary="Mean IOPS of each run so far over simulated time"
      />
    </div>
  );
}
