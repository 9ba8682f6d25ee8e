import { type ReactNode, useId, useState } from "react";

import { findingsFor, type Placed } from "../logic/problems";

interface Framed {
  label: string;
  /** The definition's key, by which problems find their field. */
  name: string;
  findings: readonly Placed[];
  hint?: ReactNode;
}

interface Inner {
  id: string;
  "aria-invalid": boolean;
  "aria-describedby": string;
}

/** A label, a control, its hint and what stands against it. */
export function Field({ label, name, findings, hint, children }: Framed & { children: (inner: Inner) => ReactNode }) {
  const id = useId();
  const against = findingsFor(findings, name);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, "aria-invalid": against.length > 0, "aria-describedby": `${id}-says` })}
      <div id={`${id}-says`} className="small">
        {hint && <span className="soft">{hint}</span>}
        {against.map((finding) => (
          <p key={finding.message} className="fault">
            {finding.message}
          </p>
        ))}
      </div>
    </div>
  );
}

/**
 * A one-line input whose value belongs to the text of the definition. What is typed is kept as typed while the field
 * has the focus, so that `1.` on the way to `1.5` is not rewritten.
 */
export function Typed({
  value,
  onTyped,
  ...rest
}: { value: string; onTyped: (typed: string) => void } & Omit<
  React.InputHTMLAttributes<HTMLInputElement>,
  "onChange" | "value"
>) {
  const [typed, setTyped] = useState(value);
  const [focused, setFocused] = useState(false);
  return (
    <input
      {...rest}
      className="input"
      value={focused ? typed : value}
      onFocus={() => {
        setTyped(value);
        setFocused(true);
      }}
      onBlur={() => setFocused(false)}
      onChange={(event) => {
        setTyped(event.target.value);
        onTyped(event.target.value);
      }}
    />
  );
}

export function Choice({
  options,
  value,
  onChosen,
  ...rest
}: {
  options: readonly (readonly [string, string])[];
  value: string;
  onChosen: (value: string) => void;
} & Omit<React.SelectHTMLAttributes<HTMLSelectElement>, "onChange" | "value">) {
  const known = options.some(([option]) => option === value);
  return (
    <select {...rest} className="input" value={value} onChange={(event) => onChosen(event.target.value)}>
      {!known && <option value={value}>{value === "" ? "choose one" : `${value} (not offered here)`}</option>}
      {options.map(([option, name]) => (
        <option key={option} value={option}>
          {name}
        </option>
      ))}
    </select>
  );
}
