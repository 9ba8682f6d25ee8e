import type { FormFields } from "../logic/form";
import { runCount } from "../logic/form";
import type { Placed } from "../logic/problems";
import { formatCount } from "../logic/units";
import { Icon } from "../ui/icons";

interface Properties {
  fields: FormFields;
  findings: readonly Placed[];
  checking: boolean;
  running: boolean;
  fault: string | null;
  onRun: () => void;
  onPlace: (line: number) => void;
}

/** Says how many runs it will be and what stands against them, and runs. */
export function RunBar({ fields, findings, checking, running, fault, onRun, onPlace }: Properties) {
  const count = runCount(fields);
  const errors = findings.filter((finding) => finding.severity === "error");
  const doubts = findings.filter((finding) => finding.severity === "warning" && finding.key === null);
  return (
    <div className="run-bar">
      <div style={{ flex: "1 1 18rem", minWidth: 0 }}>
        <p>
          <strong>{count ? `${formatCount(count.runs)} ${count.runs === 1 ? "run" : "runs"}` : "No runs yet"}</strong>{" "}
          {count && <span className="soft small">{count.words}</span>}
          <span className="soft small" role="status">
            {checking
              ? " · checking…"
              : errors.length > 0
                ? ""
                : doubts.length > 0
                  ? " · read this first"
                  : " · nothing stands against it"}
          </span>
        </p>
        {errors.length === 0 && doubts.length > 0 && (
          <ul className="findings" aria-label="What to know before it runs">
            {doubts.map((finding) => (
              <li key={finding.message}>
                <span />
                <span>{finding.message}</span>
              </li>
            ))}
          </ul>
        )}
        {errors.length > 0 && (
          <ul className="findings" aria-label="What stands against it">
            {errors.map((finding) => (
              <li key={`${finding.key} ${finding.line} ${finding.message}`}>
                {finding.line === null ? (
                  <span />
                ) : (
                  <button type="button" className="button link" onClick={() => onPlace(finding.line ?? 1)}>
                    line {finding.line}
                  </button>
                )}
                <span className="fault">
                  {finding.key && <span className="mono">{finding.key}: </span>}
                  {finding.message}
                </span>
              </li>
            ))}
          </ul>
        )}
        {fault && (
          <p className="fault" role="alert">
            {fault}
          </p>
        )}
      </div>
      <button
        type="button"
        className="button primary large"
        onClick={onRun}
        disabled={running}
        data-testid="run"
        title="Ctrl+Enter"
      >
        <Icon name="play" />
        {running ? "Starting…" : "Run"}
      </button>
    </div>
  );
}
