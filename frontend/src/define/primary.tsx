import { useId, useState } from "react";

import { findingsFor } from "../logic/problems";
import type { Editing } from "./editing";

const MOST = 3;
const DIRECTIONS = ["read", "write"];
const SUGGESTED = [
  "total.iops",
  "total.bw",
  ...DIRECTIONS.flatMap((direction) =>
    ["iops", "bw", "clat_mean", "clat_p50", "clat_p99", "clat_p99.9", "clat_p99.99", "clat_max"].map(
      (name) => `${direction}.${name}`,
    ),
  ),
];

/** The at most three metrics that decide. */
export function Primary({ fields, edit, findings }: Pick<Editing, "fields" | "edit" | "findings">) {
  const id = useId();
  const [typed, setTyped] = useState("");
  const against = findingsFor(findings, "primary");
  const set = (names: string[]) => edit(["primary"], names.length > 0 ? names : undefined);
  const add = () => {
    const name = typed.trim();
    if (name === "" || fields.primary.includes(name)) return;
    set([...fields.primary, name]);
    setTyped("");
  };
  return (
    <div className="field">
      <label htmlFor={id}>Primary metrics: they decide, at most three</label>
      <div className="chips">
        {fields.primary.map((name) => (
          <span key={name} className="chip">
            <span className="mono">{name}</span>
            <button
              type="button"
              aria-label={`Take ${name} out`}
              onClick={() => set(fields.primary.filter((entry) => entry !== name))}
            >
              ×
            </button>
          </span>
        ))}
        {fields.primary.length < MOST && (
          <span className="row" style={{ flexWrap: "nowrap" }}>
            <input
              id={id}
              className="input"
              style={{ width: "12rem" }}
              list={`${id}-names`}
              placeholder={fields.primary.length === 0 ? "by the workload" : "one more"}
              aria-invalid={against.length > 0}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
                event.preventDefault();
                add();
              }}
            />
            <button type="button" className="button" onClick={add} disabled={typed.trim() === ""}>
              Add
            </button>
          </span>
        )}
      </div>
      <datalist id={`${id}-names`}>
        {SUGGESTED.filter((name) => !fields.primary.includes(name)).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {against.map((finding) => (
        <p key={finding.message} className="fault">
          {finding.message}
        </p>
      ))}
    </div>
  );
}
