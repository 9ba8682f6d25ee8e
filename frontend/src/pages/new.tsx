import "../define/define.css";

import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import { Link, useLocation, useSearch } from "wouter";

import { Refused } from "../api/client";
import { Form } from "../define/form";
import { RunBar } from "../define/run-bar";
import { useDraft, useSource } from "../define/source";
import { Editor, type Finding, type Place } from "../editor/editor";
import { edited, type Path, readDefinition } from "../logic/definition";
import { formFields } from "../logic/form";
import { parametersFor } from "../logic/parameters";
import { fromLint, placed, type Placed } from "../logic/problems";
import { pressKey, useSubmit } from "../queries/experiments";
import { useLint } from "../queries/lint";
import { devicesQuery, runnersQuery } from "../queries/offers";
import { Fault, faultWords, Skeleton } from "../ui/feedback";
import { Heading } from "../ui/shell";

/** The page of a new experiment: a form and a text that are the same definition. */
export default function New() {
  const source = useSource(useSearch());
  // the form's lists come with it, so that nothing moves when they arrive
  const waiting = [useQuery(runnersQuery), useQuery(devicesQuery)].some((query) => query.isPending);
  return (
    <div className="stack">
      <Heading title="New experiment" />
      {source.text !== undefined && !waiting ? (
        <Define key={source.key} draftKey={source.key} beginning={source.text} />
      ) : source.error ? (
        <>
          <Fault error={source.error} />
          <Link href="/new">Begin with a blank experiment</Link>
        </>
      ) : (
        <Skeleton height="100vh" />
      )}
    </div>
  );
}

function Define({ draftKey, beginning }: { draftKey: string; beginning: string }) {
  const draft = useDraft(draftKey, beginning);
  const { text, setText } = draft;
  const reading = useMemo(() => readDefinition(text), [text]);
  const fields = useMemo(() => (reading.fault ? null : formFields(reading.value)), [reading]);
  // while the text cannot be read, the form waits with what it showed last
  const [shown, setShown] = useState(fields ?? formFields({}));
  if (fields && fields !== shown) setShown(fields);
  const [side, setSide] = useState<Side>("form");
  const [place, setPlace] = useState<Place | null>(null);
  const runners = useQuery(runnersQuery).data ?? [];
  const devices = useQuery(devicesQuery).data ?? [];
  const { findings, checking } = useFindings(text, reading.fault);
  const run = useRun(text, draft.forget);
  const standing = run.refusedFindings ?? findings;
  const edit = useCallback((path: Path, value: unknown) => setText((before) => edited(before, path, value)), [setText]);
  const device = devices.find((offer) => offer.name === shown.device.profile);
  const inText = useMemo<Finding[]>(
    () =>
      standing.flatMap((finding) =>
        finding.line === null ? [] : [{ line: finding.line, severity: finding.severity, message: finding.message }],
      ),
    [standing],
  );
  const go = (line: number) => {
    setSide("text");
    setPlace({ line });
  };
  return (
    <div
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          run.press();
        }
      }}
    >
      <TopRow
        side={side}
        setSide={setSide}
        readable={fields !== null}
        onBeginAnew={draft.changed ? draft.beginAnew : null}
      />
      <div className="define" data-side={side}>
        <div className="form-side" inert={fields === null}>
          <Form
            fields={shown}
            edit={edit}
            findings={standing}
            runners={runners}
            devices={devices}
            device={device}
            parameters={parametersFor(shown.runner, device)}
          />
        </div>
        <section className="text-side card" aria-labelledby="text-title">
          <div className="row spread">
            <h2 id="text-title">Definition</h2>
            <span className="soft small">YAML, as the API and the command line take it</span>
          </div>
          <Editor
            label="Definition"
            language="yaml"
            height="clamp(20rem, calc(100vh - 15rem), 60rem)"
            value={text}
            onChange={setText}
            findings={inText}
            place={place}
          />
        </section>
      </div>
      <RunBar
        fields={shown}
        findings={standing}
        checking={checking}
        running={run.running}
        fault={run.fault}
        onRun={run.press}
        onPlace={go}
      />
    </div>
  );
}

type Side = "form" | "text";

function TopRow({
  side,
  setSide,
  readable,
  onBeginAnew,
}: {
  side: Side;
  setSide: (side: Side) => void;
  readable: boolean;
  onBeginAnew: (() => void) | null;
}) {
  return (
    <div className="row spread" style={{ marginBottom: "var(--s3)", minHeight: "2.125rem" }}>
      <div className="segments define-tabs" role="group" aria-label="Edit by">
        {(["form", "text"] as const).map((name) => (
          <button key={name} type="button" aria-pressed={side === name} onClick={() => setSide(name)}>
            {name === "form" ? "Form" : "Text"}
          </button>
        ))}
      </div>
      <span className={readable ? "soft small" : "fault"} role="status">
        {readable
          ? "Form and text are the same definition; edit either."
          : "The text cannot be read as YAML; the form waits until it can."}
      </span>
      {onBeginAnew && (
        <button type="button" className="button link small" onClick={onBeginAnew}>
          Begin anew
        </button>
      )}
    </div>
  );
}

function useFindings(
  text: string,
  fault: { line: number; message: string } | null,
): { findings: Placed[]; checking: boolean } {
  const lint = useLint({ text, kind: "definition", environment: {} });
  const findings = useMemo<Placed[]>(() => {
    if (fault) return [{ key: null, line: fault.line, message: fault.message, severity: "error" }];
    return fromLint(lint.result?.diagnostics ?? []);
  }, [fault, lint.result]);
  return { findings, checking: !lint.current && !lint.failed };
}

/** Run the text as it stands. One press is one experiment: the key of a press goes with every attempt of its request. */
function useRun(text: string, forget: () => void) {
  const [, navigate] = useLocation();
  const submit = useSubmit();
  const pressed = useRef(false);
  const refused = submit.error instanceof Refused && submit.variables?.text === text ? submit.error : null;
  const refusedFindings = useMemo(
    () => (refused && refused.problems.length > 0 ? placed(refused.problems, text) : null),
    [refused, text],
  );
  const press = () => {
    if (pressed.current) return;
    pressed.current = true;
    submit.mutate(
      { text, key: pressKey() },
      {
        onSuccess: (made) => {
          forget();
          navigate(`/experiments/${made.id}`);
        },
        onSettled: () => {
          pressed.current = false;
        },
      },
    );
  };
  const fault = submit.error && !refusedFindings && submit.variables?.text === text ? faultWords(submit.error) : null;
  return { press, running: submit.isPending, fault, refusedFindings };
}
