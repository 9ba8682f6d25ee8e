import type { ReportContent } from "../api/types";

/** What can be done with a text that was pasted. */
export type Next = "keep" | "experiment" | "patch";

/** What a text is, in one sentence. */
export function inWords(content: ReportContent): string {
  switch (content.pasted) {
    case "results":
      return `Results: ${counted(content)}.`;
    case "patches":
    case "job":
      return `${sentence(counted(content))}.`;
    case "definition":
      return "The definition of an experiment.";
    default:
      return "No benchmark output, table, test result, patch or job file was found in this text.";
  }
}

function counted(content: ReportContent): string {
  const parts = [];
  if (content.results_total > 0) parts.push(`${plural(content.results_total, "figure", "figures")} of ${content.kind}`);
  if (content.tests_total > 0) parts.push(plural(content.tests_total, "test", "tests"));
  if (content.claims.length > 0) parts.push(plural(content.claims.length, "claim", "claims"));
  if (content.patches.length > 0) parts.push(plural(content.patches.length, "patch", "patches"));
  if (content.definition !== null) parts.push("a job that can become an experiment");
  return parts.join(", ");
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** What is offered for a text, the most fitting first. */
export function nextSteps(content: ReportContent): Next[] {
  const steps: Next[] = [];
  if (content.pasted === "results") steps.push("keep");
  if (content.pasted === "definition" || content.definition !== null) steps.push("experiment");
  if (content.patches.length > 0) steps.push("patch");
  return steps;
}
