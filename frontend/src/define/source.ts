import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import type { DeviceOffer } from "../api/types";
import { definitionText } from "../logic/definition";
import { remember, remembered } from "../logic/storage";
import { experimentQuery } from "../queries/experiments";
import { devicesQuery, examplesQuery } from "../queries/offers";
import { reportQuery } from "../queries/reports";

/** Where a new experiment begins: a blank one, an example, an experiment that was run, a report, a text just pasted. */
export interface Source {
  /** Names the draft of this beginning. */
  key: string;
  text: string | undefined;
  error: unknown;
}

const PREFERRED = ["nvme-flash", "stalling", "constant"];

/** The text that a blank experiment begins with, on a device that this server has. */
export function blank(devices: readonly DeviceOffer[]): string {
  const names = devices.map((device) => device.name);
  const profile = PREFERRED.find((name) => names.includes(name)) ?? names[0] ?? "constant";
  return `title: ""
runner: simulator
device: {profile: ${profile}, scheduler: none}
workload:
  fio: |
    [job]
    ioengine=libaio
    direct=1
    filename=/dev/sdX
    rw=randread
    bs=4k
    iodepth=32
    runtime=10
    time_based
variants:
  - name: none
  - name: mq-deadline
    device: {scheduler: mq-deadline}
repeat: 10
`;
}

/** Find the text that the page's address asks for. */
export function useSource(search: string): Source {
  const query = new URLSearchParams(search);
  const example = query.get("example");
  const from = query.get("from");
  const of = query.get("report");
  // read once: from then on the draft is kept under this name
  const [pasted] = useState(() => (query.has("pasted") ? remembered("pasted") : null));
  const devices = useQuery({ ...devicesQuery, enabled: !example && !from && !of && pasted === null });
  const examples = useQuery({ ...examplesQuery, enabled: Boolean(example) });
  const experiment = useQuery({ ...experimentQuery(from ?? ""), enabled: Boolean(from) });
  const report = useQuery({ ...reportQuery(of ?? ""), enabled: Boolean(of) });
  if (pasted !== null) return { key: "draft:pasted", text: pasted, error: null };
  if (of) {
    const silent = report.data && report.data.definition === null;
    return {
      key: `draft:report:${of}`,
      text: report.data?.definition ?? undefined,
      error: report.error ?? (silent ? new Error("this report does not say what was run") : null),
    };
  }
  if (from) {
    return {
      key: `draft:from:${from}`,
      text: experiment.data && definitionText(experiment.data.definition),
      error: experiment.error,
    };
  }
  if (example) {
    const found = examples.data?.find((offer) => offer.name === example);
    const missing = examples.data && !found ? new Error(`there is no example named ${example}`) : null;
    return { key: `draft:example:${example}`, text: found?.text, error: examples.error ?? missing };
  }
  return { key: "draft", text: devices.data && blank(devices.data), error: devices.error };
}

/** The text of a definition in work, kept in the browser until it is run or begun anew. */
export function useDraft(key: string, beginning: string) {
  const [text, setText] = useState(() => remembered(key) ?? beginning);
  useEffect(() => {
    remember(key, text === beginning ? null : text);
  }, [key, text, beginning]);
  return {
    text,
    setText,
    changed: text !== beginning,
    beginAnew: () => setText(beginning),
    forget: () => remember(key, null),
  };
}
