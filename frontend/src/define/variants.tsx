import { useState } from "react";

import type { Scalar } from "../api/types";
import type { VariantFields } from "../logic/form";
import { variantColour } from "../ui/marks";
import { ParameterInput } from "./device";
import type { Editing } from "./editing";
import { Choice, Field, Typed } from "./fields";

/** The sides of the experiment, the baseline first. */
export function Variants(editing: Editing) {
  const { fields, edit, findings } = editing;
  const add = () => {
    const names = fields.variants.map((variant) => variant.name);
    let number = names.length + 1;
    while (names.includes(`variant-${number}`)) number += 1;
    if (names.length === 0) edit(["variants"], [{ name: `variant-${number}` }]);
    else edit(["variants", names.length], { name: `variant-${number}` });
  };
  const whole = findings.filter((finding) => finding.key === "variants" && finding.severity === "error");
  return (
    <section className="card" aria-labelledby="variants-title">
      <div className="row spread">
        <h2 id="variants-title">Variants</h2>
        <button type="button" className="button" onClick={add}>
          Add a variant
        </button>
      </div>
      <div className="variants">
        {fields.variants.map((variant, index) => (
          // a variant is known by its place: its name is being typed
          <VariantCard key={index} variant={variant} index={index} {...editing} />
        ))}
      </div>
      {whole.map((finding) => (
        <p key={finding.message} className="fault">
          {finding.message}
        </p>
      ))}
    </section>
  );
}

function VariantCard({
  variant,
  index,
  fields,
  edit,
  findings,
  device,
  parameters,
}: Editing & { variant: VariantFields; index: number }) {
  const [adding, setAdding] = useState<string[]>([]);
  const at = (...rest: (string | number)[]) => ["variants", index, ...rest];
  const names = [...new Set([...Object.keys(variant.device).filter((key) => key !== "scheduler"), ...adding])];
  const free = parameters.filter((parameter) => !names.includes(parameter.name));
  // the server names a variant before the key that stands against it
  const mine = findings.filter(
    (finding) => finding.key?.startsWith(`variant ${variant.name}`) || finding.key?.startsWith(`variants.${index}`),
  );
  const inherited = fields.device.scheduler === undefined ? "as above" : `as above: ${String(fields.device.scheduler)}`;
  return (
    <fieldset className="variant" style={{ "--swatch": variantColour(index) } as React.CSSProperties}>
      <legend className="hidden-text">Variant {variant.name}</legend>
      <div className="row spread small">
        <span className="soft">{index === 0 ? "baseline" : "candidate"}</span>
        {fields.variants.length > 1 && (
          <button
            type="button"
            className="button link"
            onClick={() => edit(at(), undefined)}
            aria-label={`Remove variant ${variant.name}`}
          >
            Remove
          </button>
        )}
      </div>
      <Field label="Name" name={`variants.${index}.name`} findings={findings}>
        {(inner) => (
          <Typed {...inner} value={variant.name} maxLength={100} onTyped={(typed) => edit(at("name"), typed)} />
        )}
      </Field>
      <Field label="Scheduler" name="device.scheduler" findings={mine}>
        {(inner) => (
          <Choice
            {...inner}
            options={[["", inherited], ...(device?.schedulers ?? []).map((name) => [name, name] as const)]}
            value={String(variant.device.scheduler ?? "")}
            onChosen={(value) => edit(at("device", "scheduler"), value || undefined)}
          />
        )}
      </Field>
      {names.map((name) => (
        <Override
          key={name}
          name={name}
          value={variant.device[name]}
          parameters={parameters}
          onChanged={(value) => edit(at("device", name), value)}
          onRemoved={() => {
            setAdding(adding.filter((entry) => entry !== name));
            edit(at("device", name), undefined);
          }}
        />
      ))}
      {free.length > 0 && (
        <select
          className="input"
          aria-label={`Override a parameter in ${variant.name}`}
          value=""
          onChange={(event) => setAdding([...adding, event.target.value])}
        >
          <option value="">Override a parameter…</option>
          {free.map((parameter) => (
            <option key={parameter.name} value={parameter.name}>
              {parameter.name}
            </option>
          ))}
        </select>
      )}
      {variant.others.length > 0 && (
        <p className="small soft">Also declares {variant.others.join(", ")} (in the text)</p>
      )}
      {mine
        .filter((finding) => !finding.key?.endsWith("device.scheduler") && !finding.key?.endsWith(".name"))
        .map((finding) => (
          <p key={finding.message} className="fault">
            {finding.message}
          </p>
        ))}
    </fieldset>
  );
}

function Override({
  name,
  value,
  parameters,
  onChanged,
  onRemoved,
}: {
  name: string;
  value: Scalar | undefined;
  parameters: Editing["parameters"];
  onChanged: (value: Scalar | undefined) => void;
  onRemoved: () => void;
}) {
  const parameter = parameters.find((entry) => entry.name === name);
  return (
    <div className="override">
      <span className="mono small anywhere" title={parameter?.meaning}>
        {name}
        {parameter?.unit && !name.endsWith(`_${parameter.unit.toLowerCase()}`) && (
          <span className="soft"> {parameter.unit}</span>
        )}
      </span>
      <ParameterInput parameter={parameter} value={value} onChanged={onChanged} label={name} />
      <button type="button" className="icon-button" onClick={onRemoved} aria-label={`Take ${name} out`}>
        ×
      </button>
    </div>
  );
}
