import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";

import type { ExperimentDetail, ExperimentEvent } from "../api/types";
import { applied, isSettled, throughputIn, type Throughput } from "../logic/live";
import { experimentKey } from "./experiments";

const KINDS = ["experiment", "run", "progress", "cancelled", "comparison"] as const;
const LOOK_AGAIN_MS = 3_000;
const POINTS_MAX = 600;

export interface Following {
  /** The stream broke and the browser is opening it again. */
  reconnecting: boolean;
  /** Throughput of each run as its progress told it. */
  throughput: ReadonlyMap<string, readonly Throughput[]>;
}

/**
 * Follow an experiment until its comparison is made: events go into the cached experiment as they come. The browser
 * resumes a broken stream by itself; when the server ended it for good before the comparison, the experiment is read
 * again every few seconds and the stream opened anew from its last event.
 */
export function useFollow(id: string, experiment: ExperimentDetail | undefined): Following {
  const client = useQueryClient();
  const [reconnecting, setReconnecting] = useState(false);
  const [throughput, setThroughput] = useState<ReadonlyMap<string, readonly Throughput[]>>(new Map());
  const lastEvent = useRef(0);
  const follow = experiment !== undefined && !isSettled(experiment);

  useEffect(() => {
    lastEvent.current = experiment?.last_event ?? 0;
  });

  useEffect(() => {
    if (!follow) return undefined;
    let source: EventSource | null = null;
    let again: ReturnType<typeof setTimeout> | undefined;

    const take = (message: MessageEvent<string>) => {
      setReconnecting(false);
      const event = JSON.parse(message.data) as ExperimentEvent;
      client.setQueryData<ExperimentDetail>(experimentKey(id), (before) => before && applied(before, event));
      const point = throughputIn(event);
      if (point && event.run_id) {
        const run = event.run_id;
        setThroughput((before) => new Map(before).set(run, [...(before.get(run) ?? []), point].slice(-POINTS_MAX)));
      }
      if (event.kind === "comparison") {
        source?.close();
        void client.invalidateQueries({ queryKey: experimentKey(id) });
        void client.invalidateQueries({ queryKey: ["evidence", id] });
      }
    };
    const open = () => {
      source = new EventSource(`/api/v1/experiments/${encodeURIComponent(id)}/events?after=${lastEvent.current}`);
      source.onopen = () => setReconnecting(false);
      source.onerror = () => {
        setReconnecting(true);
        if (source?.readyState === EventSource.CLOSED) {
          again = setTimeout(() => {
            void client.invalidateQueries({ queryKey: experimentKey(id) }).finally(open);
          }, LOOK_AGAIN_MS);
        }
      };
      for (const kind of KINDS) source.addEventListener(kind, take);
    };
    open();
    return () => {
      clearTimeout(again);
      source?.close();
      setReconnecting(false);
    };
  }, [client, follow, id]);

  return { reconnecting: reconnecting && follow, throughput };
}
