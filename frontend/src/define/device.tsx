import type { ParameterOffer, Scalar } from "../api/types";
import { scalarOf } from "../logic/definition";
import { rangeWords, unknownOverrides } from "../logic/parameters";
import { findingsFor } from "../logic/problems";
import { readable } from "../logic/units";
import type { Editing } from "./editing";
import { Typed } from "./fields";
import { Scroll } from "../ui/scroll";

/** Every parameter of the device profile; a value typed here overrides the profile's for all variants. */
export function DeviceFields({ fields, edit, findings, parameters }: Editing) {
  const unknown = unknownOverrides(fields.device, parameters);
  const overridden = parameters.filter((parameter) => parameter.name in fields.device).length + unknown.length;
  const faults = findingsFor(findings, "device").filter(
    (finding) => !/device\.(profile|scheduler)$/.test(finding.key ?? ""),
  );
  return (
    <details>
      <summary>
        Device parameters{" "}
        <span className="soft small">
          {overridden === 0 ? "all as the profile has them" : `${overridden} overridden`}
        </span>
      </summary>
      <Scroll label="Device parameters">
        <table className="data parameters">
          <thead>
            <tr>
              <th scope="col">parameter</th>
              <th scope="col">value</th>
              <th scope="col">unit</th>
              <th scope="col">range</th>
            </tr>
          </thead>
          <tbody>
            {parameters.map((parameter) => (
              <Parameter
                key={parameter.name}
                parameter={parameter}
                value={fields.device[parameter.name]}
                onChanged={(value) => edit(["device", parameter.name], value)}
              />
            ))}
            {unknown.map((name) => (
              <tr key={name} className="overridden">
                <th scope="row" className="mono">
                  {name}
                  <div className="fault">no parameter of this profile</div>
                </th>
                <td colSpan={2}>{String(fields.device[name])}</td>
                <td>
                  <button type="button" className="button link" onClick={() => edit(["device", name], undefined)}>
                    Take out
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {faults.map((finding) => (
        <p key={finding.message} className="fault">
          {finding.message}
        </p>
      ))}
    </details>
  );
}

function Parameter({
  parameter,
  value,
  onChanged,
}: {
  parameter: ParameterOffer;
  value: Scalar | undefined;
  onChanged: (value: Scalar | undefined) => void;
}) {
  const shown = readable(typeof value === "number" ? value : parameter.value, parameter.unit);
  return (
    <tr className={value === undefined ? "" : "overridden"}>
      <th scope="row" style={{ fontWeight: 400 }}>
        <span className="mono">{parameter.name}</span>
        <div className="soft">{parameter.meaning}</div>
      </th>
      <td>
        <ParameterInput parameter={parameter} value={value} onChanged={onChanged} label={parameter.name} />
      </td>
      <td className="nowrap">
        {parameter.unit}
        {shown && <div className="soft">{shown}</div>}
      </td>
      <td className="soft">{rangeWords(parameter)}</td>
    </tr>
  );
}

/** The input of one override: a list where the parameter takes words, else a line of text; empty means the profile's. */
export function ParameterInput({
  parameter,
  value,
  onChanged,
  label,
}: {
  parameter: ParameterOffer | undefined;
  value: Scalar | undefined;
  onChanged: (value: Scalar | undefined) => void;
  label: string;
}) {
  if (parameter?.choices) {
    return (
      <select
        className="input"
        aria-label={label}
        value={value === undefined ? "" : String(value)}
        onChange={(event) => onChanged(event.target.value || undefined)}
      >
        <option value="">{String(parameter.value)} (the profile&apos;s)</option>
        {parameter.choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    );
  }
  return (
    <Typed
      aria-label={label}
      inputMode="numeric"
      placeholder={parameter ? String(parameter.value) : ""}
      value={value === undefined ? "" : String(value)}
      onTyped={(typed) => onChanged(typed.trim() === "" ? undefined : scalarOf(typed))}
    />
  );
}
