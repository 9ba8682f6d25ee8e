import type { State, Verdict } from "../api/types";

/** What the list of experiments is narrowed to. */
export interface Filters {
  state?: State;
  verdict?: Verdict;
  words?: string;
}

export const STATES: readonly State[] = ["queued", "running", "done", "failed", "cancelled"];
export const VERDICTS: readonly Verdict[] = ["improved", "regressed", "equivalent", "inconclusive"];

/** Read the list's filters from the query of the page's address; what is not a filter is passed over. */
export function filtersOf(search: string): Filters {
  const query = new URLSearchParams(search);
  return {
    state: STATES.find((state) => state === query.get("state")),
    verdict: VERDICTS.find((verdict) => verdict === query.get("verdict")),
    words: query.get("q")?.slice(0, 200) || undefined,
  };
}

/** The address of the list under these filters. */
export function addressOf(filters: Filters): string {
  const query = new URLSearchParams();
  if (filters.state) query.set("state", filters.state);
  if (filters.verdict) query.set("verdict", filters.verdict);
  if (filters.words) query.set("q", filters.words);
  const text = query.toString();
  return text ? `/?${text}` : "/";
}
