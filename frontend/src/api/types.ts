import type { components } from "./schema.generated";

type Schemas = components["schemas"];

export type Definition = Schemas["Definition"];
export type ExperimentSummary = Schemas["ExperimentSummary"];
export type ExperimentDetail = Schemas["ExperimentDetail"];
export type ExperimentPage = Schemas["ExperimentPage"];
export type RunSummary = Schemas["RunSummary"];
export type RunDetail = Schemas["RunDetail"];
export type State = Schemas["State"];
export type Verdict = Schemas["Verdict"];
export type Comparison = Schemas["Comparison"];
export type Candidate = Schemas["Candidate"];
export type Group = Schemas["Group"];
export type Measured = Schemas["Measured"];
export type MetricComparison = Schemas["MetricComparison"];
export type SeedDifference = Schemas["SeedDifference"];
export type Evidence = Schemas["Evidence"];
export type LatencyCurve = Schemas["LatencyCurve"];
export type SeriesBand = Schemas["SeriesBand"];
export type QuantileShifts = Schemas["QuantileShifts"];
export type Why = Schemas["Why"];
export type StageShare = Schemas["StageShare"];
export type Notice = Schemas["Notice"];
export type RunnerOffer = Schemas["RunnerOffer"];
export type DeviceOffer = Schemas["DeviceOffer"];
export type ParameterOffer = Schemas["ParameterOffer"];
export type WorkloadOffer = Schemas["WorkloadOffer"];
export type MechanismOffer = Schemas["MechanismOffer"];
export type Selftest = Schemas["Selftest"];
export type ExampleOffer = Schemas["ExampleOffer"];
export type LintResult = Schemas["LintResult"];
export type LintDiagnostic = Schemas["LintDiagnostic"];
export type LintRequest = Schemas["LintRequest"];
export type ShareMade = Schemas["ShareMade"];
export type ReportContent = Schemas["ReportContent"];
export type ReportDetail = Schemas["ReportDetail"];
export type ReportSummary = Schemas["ReportSummary"];
export type ReportPairing = Schemas["ReportPairing"];
export type ReportSide = Schemas["ReportSide"];
export type ReportResult = Schemas["ReportResult"];
export type ReportClaim = Schemas["ReportClaim"];
export type ReportWarning = Schemas["ReportWarning"];
export type PatchSummary = Schemas["PatchSummary"];
export type PatchDetail = Schemas["PatchDetail"];
export type Patch = Schemas["Patch"];
export type FileChange = Schemas["FileChange"];
export type Trailer = Schemas["Trailer"];
export type FollowUp = Schemas["FollowUp"];
export type RangeDiffPair = Schemas["RangeDiffPair"];

/** One value of a definition, as YAML scalars give it. */
export type Scalar = boolean | number | string;

/** One problem of a refused definition. */
export interface Problem {
  key: string | null;
  line: number | null;
  message: string;
}

/** One server-sent event of an experiment. */
export interface ExperimentEvent {
  number: number;
  kind: "experiment" | "run" | "progress" | "cancelled" | "comparison";
  run_id: string | null;
  at_ms: number;
  data: Record<string, unknown>;
}
