import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";

import { answer, api, Away, refusedBy } from "../api/client";
import type { Comparison, ReportContent, ReportDetail, ReportPairing } from "../api/types";
import { useSettled } from "./lint";

const PAGE = 25;

export function reportsQuery(words: string) {
  return infiniteQueryOptions({
    queryKey: ["reports", words],
    queryFn: ({ signal, pageParam }) =>
      answer(
        api.GET("/api/v1/reports", {
          params: { query: { limit: PAGE, cursor: pageParam, q: words || undefined } },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: keepPreviousData,
  });
}

export function reportQuery(id: string) {
  return queryOptions({
    queryKey: ["report", id],
    queryFn: async ({ signal }) =>
      (await answer(api.GET("/api/v1/reports/{report_id}", { params: { path: { report_id: id } }, signal }))) as Report,
  });
}

export function reportTextQuery(id: string) {
  return queryOptions({
    queryKey: ["report-text", id],
    queryFn: async ({ signal }) =>
      (await answer(
        api.GET("/api/v1/reports/{report_id}/text", {
          params: { path: { report_id: id } },
          parseAs: "text",
          signal,
        }) as Promise<{ data?: unknown; error?: unknown; response: Response }>,
      )) as string,
    staleTime: Infinity,
  });
}

export function reportTableQuery(id: string, rule: string) {
  return queryOptions({
    queryKey: ["report-table", id, rule],
    queryFn: async ({ signal }) =>
      (await answer(
        api.GET("/api/v1/reports/{report_id}/comparison.{suffix}", {
          params: { path: { report_id: id, suffix: "txt" } },
          parseAs: "text",
          signal,
        }) as Promise<{ data?: unknown; error?: unknown; response: Response }>,
      )) as string,
  });
}

/** A report whose comparison has the pairs that the client's types widen to lists. */
export type Report = Omit<ReportDetail, "comparison"> & { comparison: Comparison | null };

/** Send a text as it is: any other form of body would have to escape it. */
async function send<T>(path: string, text: string, signal?: AbortSignal): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method: "POST",
      headers: { "content-type": "text/plain; charset=utf-8" },
      body: text,
      signal: signal ?? null,
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Away();
  }
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw refusedBy(response.status, body);
  return body as T;
}

export interface Preview {
  content: ReportContent | undefined;
  /** Whether it is about the text as it stands now. */
  current: boolean;
  error: unknown;
}

/** What the server understands of a text, asked after a pause in typing. */
export function usePreview(text: string): Preview {
  const settled = useSettled(text);
  const query = useQuery({
    queryKey: ["preview", settled],
    queryFn: ({ signal }) => send<ReportContent>("/api/v1/reports/preview", settled, signal),
    enabled: settled.trim() !== "",
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const empty = text.trim() === "";
  return {
    content: empty ? undefined : query.data,
    current: settled === text && !query.isPlaceholderData && query.isSuccess,
    error: empty ? null : query.error,
  };
}

export function useKeepReport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (text: string) => send<Report>("/api/v1/reports", text),
    onSuccess: (made) => {
      client.setQueryData(["report", made.id], made);
      void client.invalidateQueries({ queryKey: ["reports"] });
    },
  });
}

export function useChangeReport(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (change: { title?: string; pairing?: ReportPairing | null }) =>
      (await answer(
        api.PATCH("/api/v1/reports/{report_id}", { params: { path: { report_id: id } }, body: change }),
      )) as Report,
    onSuccess: (changed) => {
      client.setQueryData(["report", id], changed);
      void client.invalidateQueries({ queryKey: ["reports"] });
      void client.invalidateQueries({ queryKey: ["report-table", id] });
    },
  });
}
