import type { LintDiagnostic, Problem } from "../api/types";
import { lineOf, type Path } from "./definition";

/** A problem with its place in the text. */
export interface Placed {
  key: string | null;
  line: number | null;
  message: string;
  severity: "error" | "warning" | "info";
}

/** The path that a problem's key names; a key may begin with the variant and cell that it was found in. */
export function pathOf(key: string): Path {
  const bare = key.slice(key.lastIndexOf(": ") + 1).trim();
  return bare === "" ? [] : bare.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

/** Place refused problems in the text: by the line they came with, a line of the job they name, or their key. */
export function placed(problems: readonly Problem[], text: string): Placed[] {
  return problems.map((problem) => {
    const path = problem.key === null ? [] : pathOf(problem.key);
    const inJob = path.join(".") === "workload.fio" ? /^line (\d+): /.exec(problem.message) : null;
    const begins = inJob ? lineOf(text, ["workload", "fio"]) : null;
    const line = inJob && begins !== null ? begins + Number(inJob[1]) : (problem.line ?? lineOf(text, path));
    return { key: problem.key, line, message: problem.message, severity: "error" };
  });
}

/** The findings that stand against one field of the form: its own key and the keys below it. */
export function findingsFor(findings: readonly Placed[], field: string): Placed[] {
  return findings.filter((finding) => {
    if (finding.key === null || finding.severity !== "error") return false;
    const key = pathOf(finding.key).join(".");
    return key === field || key.startsWith(`${field}.`);
  });
}

/** The server's diagnostics of a definition as findings. */
export function fromLint(diagnostics: readonly LintDiagnostic[]): Placed[] {
  return diagnostics.map((entry) => ({
    key: entry.key ?? null,
    line: entry.line,
    message: entry.message,
    severity: entry.severity,
  }));
}
