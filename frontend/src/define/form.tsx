import { useMemo } from "react";
import { Link } from "wouter";

import { Editor, type Finding } from "../editor/editor";
import { tooFewRuns } from "../logic/form";
import { useLint } from "../queries/lint";
import { DeviceFields } from "./device";
import type { Editing } from "./editing";
import { Choice, Field, Typed } from "./fields";
import { JobFindings } from "./job-findings";
import { Primary } from "./primary";
import { Variants } from "./variants";

/** The form: another way to edit the same text. */
export function Form(editing: Editing) {
  const { fields, edit, findings } = editing;
  return (
    <div className="stack">
      <section className="card" aria-label="Experiment">
        <Field label="Title" name="title" findings={findings}>
          {(inner) => (
            <Typed
              {...inner}
              value={fields.title}
              maxLength={400}
              placeholder="What is tried, in one line"
              onTyped={(typed) => edit(["title"], typed)}
            />
          )}
        </Field>
        <RunnerAndDevice {...editing} />
        <DeviceFields {...editing} />
      </section>
      <Job {...editing} />
      <Variants {...editing} />
      <Repetitions {...editing} />
    </div>
  );
}

function RunnerAndDevice({ fields, edit, findings, runners, devices, device }: Editing) {
  const runner = runners.find((offer) => offer.kind === fields.runner);
  const schedulers = device?.schedulers ?? [];
  return (
    <div className="pair">
      <Field label="Runner" name="runner" findings={findings} hint={runner?.meaning}>
        {(inner) =>
          fields.runner === null ? (
            <p id={inner.id}>{fields.runnerCount} runners, listed in the text</p>
          ) : (
            <Choice
              {...inner}
              options={runners.map((offer) => [offer.kind, offer.title] as const)}
              value={fields.runner}
              onChosen={(value) => edit(["runner"], value)}
            />
          )
        }
      </Field>
      <Field
        label="Device profile"
        name="device.profile"
        findings={findings}
        hint={
          device && (
            <>
              {device.title} (<Link href={`/reference#device-${device.name}`}>figures and sources</Link>)
            </>
          )
        }
      >
        {(inner) => (
          <Choice
            {...inner}
            options={devices.map((offer) => [offer.name, offer.name] as const)}
            value={String(fields.device.profile ?? "")}
            onChosen={(value) => edit(["device", "profile"], value)}
          />
        )}
      </Field>
      <Field label="Scheduler" name="device.scheduler" findings={findings} hint="For every variant that names no other">
        {(inner) => (
          <Choice
            {...inner}
            options={[
              ["", device ? `the device's own: ${device.default_scheduler}` : "the device's own"],
              ...schedulers.map((name) => [name, name] as const),
            ]}
            value={String(fields.device.scheduler ?? "")}
            onChosen={(value) => edit(["device", "scheduler"], value || undefined)}
          />
        )}
      </Field>
    </div>
  );
}

function Job({ fields, edit, runners }: Editing) {
  const runner = runners.find((offer) => offer.kind === fields.runner)?.kind;
  const lint = useLint(
    {
      text: fields.fio ?? "",
      kind: "fio",
      runner,
      device: runner ? fields.device : undefined,
      environment: fields.environment,
    },
    fields.fio !== null,
  );
  const findings = useMemo<Finding[]>(() => lint.result?.diagnostics ?? [], [lint.result]);
  const errors = findings.filter((finding) => finding.severity === "error");
  if (fields.fio === null && fields.workload !== "fio") {
    return (
      <section className="card" aria-labelledby="job-title">
        <h2 id="job-title">Workload</h2>
        <p>
          {fields.workload}; its settings stand in the text.{" "}
          <button
            type="button"
            className="button link"
            onClick={() => edit(["workload"], { fio: "[job]\nrw=randread\n" })}
          >
            Use a fio job instead
          </button>
        </p>
      </section>
    );
  }
  return (
    <section className="card" aria-labelledby="job-title">
      <div className="row spread">
        <h2 id="job-title">fio job</h2>
        <span className="small soft" role="status">
          {jobWords(lint, errors.length, findings.length)}
        </span>
      </div>
      <Editor
        label="fio job"
        language="fio"
        height="19rem"
        value={fields.fio ?? ""}
        invalid={errors.length > 0}
        onChange={(text) => edit(["workload", "fio"], text)}
        findings={findings}
      />
      <JobFindings findings={findings} />
    </section>
  );
}

function jobWords(lint: ReturnType<typeof useLint>, errors: number, all: number): string {
  if (lint.failed) return "not checked: the server does not answer";
  if (!lint.current || !lint.result) return "checking…";
  if (errors > 0) return `${errors} ${errors === 1 ? "error" : "errors"}`;
  const jobs = `${lint.result.jobs.length} ${lint.result.jobs.length === 1 ? "job" : "jobs"}`;
  return all > 0 ? `${jobs}, ${all} ${all === 1 ? "remark" : "remarks"}` : jobs;
}

function Repetitions({ fields, edit, findings }: Editing) {
  const few = typeof fields.repeat === "number" ? tooFewRuns(fields.repeat, fields.primary.length) : null;
  return (
    <section className="card" aria-labelledby="verdict-title">
      <h2 id="verdict-title">How it is decided</h2>
      <div className="pair">
        <NumberField
          label="Repetitions of each variant"
          name="repeat"
          value={fields.repeat}
          edit={edit}
          findings={findings}
          hint={few ?? "Each has its own seed"}
        />
        <NumberField
          label="Threshold (%)"
          name="threshold_percent"
          value={fields.thresholdPercent}
          edit={edit}
          findings={findings}
          hint="Less does not count as a change"
        />
        <NumberField
          label="Seed"
          name="seed"
          value={fields.seed}
          edit={edit}
          findings={findings}
          hint="Of the first repetition"
        />
        <Field
          label="Order"
          name="order"
          findings={findings}
          hint="Interleaved: a drift of the host falls on all alike"
        >
          {(inner) => (
            <Choice
              {...inner}
              options={[
                ["interleaved", "interleaved (ABBA)"],
                ["blocked", "blocked"],
              ]}
              value={fields.order}
              onChosen={(value) => edit(["order"], value === "interleaved" ? undefined : value)}
            />
          )}
        </Field>
      </div>
      <Primary fields={fields} edit={edit} findings={findings} />
    </section>
  );
}

function NumberField({
  label,
  name,
  value,
  edit,
  findings,
  hint,
}: Pick<Editing, "edit" | "findings"> & { label: string; name: string; value: number | string | null; hint: string }) {
  return (
    <Field label={label} name={name} findings={findings} hint={hint}>
      {(inner) => (
        <Typed
          {...inner}
          inputMode="decimal"
          value={value === null ? "" : String(value)}
          onTyped={(typed) => {
            const text = typed.trim();
            if (text === "") edit([name], undefined);
            else edit([name], Number.isNaN(Number(text)) ? text : Number(text));
          }}
        />
      )}
    </Field>
  );
}
