import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";

import type { DeviceOffer, MechanismOffer, ParameterOffer, RunnerOffer, WorkloadOffer } from "../api/types";
import { rangeWords } from "../logic/parameters";
import { formatValue, readable } from "../logic/units";
import { devicesQuery, mechanismsQuery, runnersQuery, selftestQuery, workloadsQuery } from "../queries/offers";
import { Fault, Skeleton } from "../ui/feedback";
import { QueueSettings } from "../ui/queue-settings";
import { SelftestTable } from "../ui/selftest";
import { Heading } from "../ui/shell";
import { Scroll } from "../ui/scroll";

/** What this server offers: its runners with what they honour and ignore, its devices with every default and source. */
export default function Reference() {
  const runners = useQuery(runnersQuery);
  const devices = useQuery(devicesQuery);
  const workloads = useQuery(workloadsQuery);
  const mechanisms = useQuery(mechanismsQuery);
  const selftest = useQuery(selftestQuery);
  const all = [runners, devices, workloads, mechanisms, selftest];
  const ready = all.every((query) => query.isSuccess);
  useEffect(() => {
    // the place that the address names came with the data, after the browser had looked for it
    if (ready) document.getElementById(globalThis.location.hash.slice(1))?.scrollIntoView();
  }, [ready]);
  const failed = all.find((query) => query.isError);
  return (
    <div className="stack">
      <Heading title="Reference" />
      <p className="soft">
        What this server runs experiments on, and what it makes of a job. Every figure names its source.
      </p>
      {failed ? (
        <Fault error={failed.error} again={() => all.forEach((query) => void query.refetch())} />
      ) : runners.data && devices.data && workloads.data && mechanisms.data ? (
        <>
          <nav aria-label="On this page" className="row small">
            {runners.data.map((runner) => (
              <a key={runner.kind} href={`#runner-${runner.kind}`}>
                {runner.title}
              </a>
            ))}
            {devices.data.map((device) => (
              <a key={device.name} href={`#device-${device.name}`}>
                {device.name}
              </a>
            ))}
          </nav>
          {runners.data.map((runner) => (
            <Runner key={runner.kind} runner={runner} />
          ))}
          <Workloads workloads={workloads.data} />
          {mechanisms.data.length > 0 && <Mechanisms mechanisms={mechanisms.data} />}
          {selftest.data && <SelftestTable selftest={selftest.data} />}
          {devices.data.map((device) => (
            <Device key={device.name} device={device} />
          ))}
        </>
      ) : (
        <Skeleton height="100vh" />
      )}
    </div>
  );
}

function Runner({ runner }: { runner: RunnerOffer }) {
  const ignored = Object.entries(runner.fio_ignored);
  const reasons = [...new Set(ignored.map(([, reason]) => reason))];
  return (
    <section className="card stack" id={`runner-${runner.kind}`} aria-labelledby={`runner-${runner.kind}-title`}>
      <div>
        <h2 id={`runner-${runner.kind}-title`}>
          Runner <span className="mono">{runner.kind}</span>
        </h2>
        <p>{runner.meaning}.</p>
        <p className="small soft">
          {runner.deterministic
            ? "The same definition and seed give the same bytes. "
            : "Results vary from run to run. "}
          {runner.exclusive && "One host measures one run at a time. "}
          Workloads: {runner.workloads.join(", ")}. Filesystems: {runner.filesystems.join(", ")}.
          {runner.runs_waiting > 0 && ` ${runner.runs_waiting} runs wait for it now.`}
        </p>
      </div>
      <div>
        <h3>fio options that it honours</h3>
        {runner.fio_honoured ? (
          <p className="mono small">{runner.fio_honoured.join(", ")}</p>
        ) : (
          <p className="small">Every option that fio 3.33 accepts.</p>
        )}
      </div>
      {reasons.length > 0 && (
        <div>
          <h3>Options that change nothing there, and why</h3>
          <dl className="ignored small">
            {reasons.map((reason) => (
              <div key={reason}>
                <dt>{reason}</dt>
                <dd className="mono">{ignored.flatMap(([name, why]) => (why === reason ? [name] : [])).join(", ")}</dd>
              </div>
            ))}
          </dl>
          <p className="small soft">Any other option is refused before anything is queued.</p>
        </div>
      )}
    </section>
  );
}

function Workloads({ workloads }: { workloads: readonly WorkloadOffer[] }) {
  return (
    <section className="card" aria-labelledby="workloads-title">
      <h2 id="workloads-title">Workloads</h2>
      <table className="data">
        <tbody>
          {workloads.map((workload) => (
            <tr key={workload.kind}>
              <th scope="row" className="mono">
                {workload.kind}
              </th>
              <td>{workload.meaning}</td>
              <td className="soft">{workload.runners.join(", ") || "no runner here"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Mechanisms({ mechanisms }: { mechanisms: readonly MechanismOffer[] }) {
  return (
    <section className="card" aria-labelledby="mechanisms-title">
      <h2 id="mechanisms-title">Mechanisms of the simulated kernel</h2>
      <table className="data">
        <tbody>
          {mechanisms.map((mechanism) => (
            <tr key={mechanism.name}>
              <th scope="row" className="mono">
                {mechanism.name}
              </th>
              <td className="mono">{mechanism.values.join(" | ")}</td>
              <td>{mechanism.meaning}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Device({ device }: { device: DeviceOffer }) {
  return (
    <section className="card stack" id={`device-${device.name}`} aria-labelledby={`device-${device.name}-title`}>
      <div>
        <h2 id={`device-${device.name}-title`}>
          Device <span className="mono">{device.name}</span>
        </h2>
        <p>{device.title}</p>
        <p className="small soft">
          {formatValue(device.capacity_bytes, "B")}, {device.rotational ? "rotational" : "not rotational"}, model{" "}
          {device.kind}; schedulers{" "}
          {device.schedulers
            .map((name) => (name === device.default_scheduler ? `${name} (by itself)` : name))
            .join(", ")}
        </p>
      </div>
      <Scroll label={`Parameters of ${device.name}`}>
        <table className="data">
          <thead>
            <tr>
              <th scope="col">parameter</th>
              <th scope="col" className="number">
                value
              </th>
              <th scope="col">unit</th>
              <th scope="col">range</th>
              <th scope="col">meaning</th>
            </tr>
          </thead>
          <tbody>
            {device.parameters.map((parameter) => (
              <Parameter key={parameter.name} parameter={parameter} />
            ))}
          </tbody>
        </table>
      </Scroll>
      <details>
        <summary>Settings of the request queue, by scheduler</summary>
        {device.schedulers.map((scheduler) => (
          <QueueSettings key={scheduler} device={device} scheduler={scheduler} />
        ))}
      </details>
      <div>
        <h3>Sources</h3>
        <ul className="sources small">
          {device.sources.map((source) => (
            <li key={source}>{source}</li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function Parameter({ parameter }: { parameter: ParameterOffer }) {
  const shown = readable(parameter.value, parameter.unit);
  return (
    <tr>
      <th scope="row" className="mono" style={{ fontWeight: 400 }}>
        {parameter.name}
      </th>
      <td className="number">
        {parameter.value}
        {shown && <div className="soft">{shown}</div>}
      </td>
      <td className="soft">{parameter.unit}</td>
      <td className="soft nowrap">{rangeWords(parameter)}</td>
      <td>{parameter.meaning}</td>
    </tr>
  );
}
