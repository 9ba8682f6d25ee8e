import "./paste.css";

import { useRef, useState } from "react";
import { useLocation } from "wouter";

import type { ReportContent } from "../api/types";
import { inWords, type Next, nextSteps, plural } from "../logic/paste";
import { remember } from "../logic/storage";
import { useBringPatch } from "../queries/patches";
import { useKeepReport, usePreview } from "../queries/reports";
import { Fault } from "../ui/feedback";
import { VerdictMark } from "../ui/marks";

const WARNINGS_SHOWN = 5;
const LOCAL_MAX_CHARS = 8_000_000;

/** Takes whatever a developer has at hand, says what it is, and offers what to do with it. */
export function PasteBox() {
  const [text, setText] = useState("");
  const [refused, setRefused] = useState<string | null>(null);
  const file = useRef<HTMLInputElement>(null);
  const preview = usePreview(text);
  const open = async (chosen: File | undefined) => {
    if (!chosen) return;
    if (chosen.size > LOCAL_MAX_CHARS) {
      setRefused(`${chosen.name} is larger than ${LOCAL_MAX_CHARS / 1e6} MB; use lodestone import for it.`);
      return;
    }
    setRefused(null);
    setText(decoded(await chosen.arrayBuffer()));
  };
  return (
    <section className="card paste" aria-labelledby="paste-title" data-testid="paste">
      <div className="row spread">
        <h2 id="paste-title">Paste anything</h2>
        <span className="soft small">benchmark output, a table, a job file, a patch, or the whole mail</span>
      </div>
      <textarea
        className="input"
        aria-labelledby="paste-title"
        spellCheck={false}
        rows={text ? 10 : 4}
        placeholder={"From: …\nSubject: [PATCH] …\n\nBefore this patch set:  READ: bw=195MiB/s …"}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          if (event.dataTransfer.files.length === 0) return;
          event.preventDefault();
          void open(event.dataTransfer.files[0]);
        }}
      />
      <div className="row spread">
        <span>
          <input ref={file} type="file" hidden onChange={(event) => void open(event.target.files?.[0])} />
          <button type="button" className="button" onClick={() => file.current?.click()}>
            Open a file
          </button>
        </span>
        {text && (
          <button type="button" className="button link" onClick={() => setText("")}>
            Clear
          </button>
        )}
      </div>
      {refused && <p className="fault">{refused}</p>}
      <div aria-live="polite">
        {preview.error ? <Fault error={preview.error} /> : null}
        {text.trim() !== "" && !preview.content && !preview.error && <p className="soft">Reading…</p>}
        {preview.content && (
          <Understood key={preview.content.title} content={preview.content} text={text} current={preview.current} />
        )}
      </div>
    </section>
  );
}

/** UTF-8, and byte for byte where it is not: old mails have old charsets. */
function decoded(content: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    return new TextDecoder("windows-1252").decode(content);
  }
}

const STEPS: Record<Next, string> = {
  keep: "Make it a report",
  experiment: "Make it an experiment",
  patch: "Keep the patches",
};

function Understood({ content, text, current }: { content: ReportContent; text: string; current: boolean }) {
  const [, navigate] = useLocation();
  const keep = useKeepReport();
  const bring = useBringPatch();
  const act = (step: Next) => {
    if (step === "patch") {
      bring.mutate(text, { onSuccess: (made) => navigate(`/patches/${made.id}`) });
    } else if (step === "keep") {
      keep.mutate(text, { onSuccess: (made) => navigate(`/reports/${made.id}`) });
    } else if (step === "experiment") {
      remember("draft:pasted", null);
      remember("pasted", content.pasted === "definition" ? text : content.definition);
      navigate("/new?pasted");
    }
  };
  const steps = nextSteps(content);
  return (
    <div className="understood" aria-busy={!current}>
      <p>
        <strong>{inWords(content)}</strong>
      </p>
      {content.pasted === "results" && (
        <>
          <p className="title">{content.title}</p>
          {content.verdict && (
            <p>
              <VerdictMark verdict={content.verdict} /> {content.headline}
            </p>
          )}
          {content.pairing && <p className="soft small">Sides: {content.pairing.rule}.</p>}
        </>
      )}
      <Warnings content={content} />
      {steps.length > 0 && (
        <p className="row">
          {steps.map((step, index) => (
            <button
              key={step}
              type="button"
              className={index === 0 ? "button primary" : "button"}
              disabled={!current || keep.isPending || bring.isPending}
              onClick={() => act(step)}
            >
              {STEPS[step]}
            </button>
          ))}
        </p>
      )}
      {keep.isError && <Fault error={keep.error} />}
      {bring.isError && <Fault error={bring.error} />}
    </div>
  );
}

function Warnings({ content }: { content: ReportContent }) {
  if (content.warnings.length === 0) return null;
  const more = content.warnings.length - WARNINGS_SHOWN;
  return (
    <ul className="notes small">
      {content.warnings.slice(0, WARNINGS_SHOWN).map((warning) => (
        <li key={`${warning.line} ${warning.message}`}>
          line {warning.line}: {warning.message}
        </li>
      ))}
      {more > 0 && <li>{plural(more, "more remark", "more remarks")}</li>}
    </ul>
  );
}
