import type { DeviceOffer, ParameterOffer, RunnerOffer } from "../api/types";
import type { Path } from "../logic/definition";
import type { FormFields } from "../logic/form";
import type { Placed } from "../logic/problems";

/** What every part of the form works with. */
export interface Editing {
  fields: FormFields;
  /** Change one value of the definition's text; undefined takes it out. */
  edit: (path: Path, value: unknown) => void;
  findings: readonly Placed[];
  runners: readonly RunnerOffer[];
  devices: readonly DeviceOffer[];
  device: DeviceOffer | undefined;
  parameters: readonly ParameterOffer[];
}
