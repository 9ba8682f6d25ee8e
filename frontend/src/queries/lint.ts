import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { answer, api } from "../api/client";
import type { LintRequest, LintResult } from "../api/types";

const PAUSE_MS = 250;

/** A value after it has stood still for a moment. */
export function useSettled<T>(value: T, pauseMs = PAUSE_MS): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return settled;
}

export interface Lint {
  result: LintResult | undefined;
  /** Whether the result is about the text as it stands now. */
  current: boolean;
  failed: boolean;
}

/**
 * What the server says of a text, asked after a pause in typing. The text is part of the cache's key, so an answer can
 * only ever belong to the text that it was asked for; while a new one is on its way the last one stays, marked so.
 */
export function useLint(request: LintRequest, enabled = true): Lint {
  const key = JSON.stringify(request);
  const settled = useSettled(key);
  const query = useQuery({
    queryKey: ["lint", settled],
    queryFn: ({ signal }) => answer(api.POST("/api/v1/lint", { body: JSON.parse(settled) as LintRequest, signal })),
    enabled: enabled && request.text.trim() !== "",
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000,
  });
  return {
    result: enabled ? query.data : undefined,
    current: settled === key && !query.isPlaceholderData && query.isSuccess,
    failed: query.isError,
  };
}
