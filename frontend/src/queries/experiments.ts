import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";

import { answer, api, refusedBy, Away } from "../api/client";
import type { Comparison, Evidence, ExperimentDetail } from "../api/types";
import type { Filters } from "../logic/filters";
import { isOver } from "../logic/live";

const PAGE = 25;
const LOOK_AGAIN_MS = 2_000;

/** Pages of experiments, newest first; looked at again while one of them runs. */
export function experimentsQuery(filters: Filters) {
  return infiniteQueryOptions({
    queryKey: ["experiments", filters],
    queryFn: ({ signal, pageParam }) =>
      answer(
        api.GET("/api/v1/experiments", {
          params: {
            query: {
              limit: PAGE,
              cursor: pageParam,
              state: filters.state,
              verdict: filters.verdict,
              q: filters.words || undefined,
            },
          },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: (query) =>
      query.state.data?.pages.some((page) => page.items.some((item) => !isOver(item.state))) ? LOOK_AGAIN_MS : false,
  });
}

export function experimentKey(id: string) {
  return ["experiment", id] as const;
}

export function experimentQuery(id: string) {
  return queryOptions({
    queryKey: experimentKey(id),
    queryFn: ({ signal }) =>
      answer(api.GET("/api/v1/experiments/{experiment_id}", { params: { path: { experiment_id: id } }, signal })),
  });
}

export function comparisonQuery(id: string) {
  return queryOptions({
    queryKey: ["comparison", id],
    // the client's types widen the schema's pairs to lists
    queryFn: async ({ signal }) =>
      (await answer(
        api.GET("/api/v1/experiments/{experiment_id}/comparison", { params: { path: { experiment_id: id } }, signal }),
      )) as Comparison,
    staleTime: Infinity,
  });
}

export function evidenceQuery(id: string) {
  return queryOptions({
    queryKey: ["evidence", id],
    queryFn: async ({ signal }) =>
      (await answer(
        api.GET("/api/v1/experiments/{experiment_id}/evidence", { params: { path: { experiment_id: id } }, signal }),
      )) as Evidence,
    staleTime: Infinity,
  });
}

/** The comparison as the server writes it for a mail. */
export function comparisonTextQuery(id: string) {
  return queryOptions({
    queryKey: ["comparison-text", id],
    queryFn: async ({ signal }) => {
      const made = await api.GET("/api/v1/experiments/{experiment_id}/comparison.{suffix}", {
        params: { path: { experiment_id: id, suffix: "txt" } },
        parseAs: "text",
        signal,
      });
      return (await answer(Promise.resolve(made))) as string;
    },
    staleTime: Infinity,
  });
}

export function runQuery(id: string) {
  return queryOptions({
    queryKey: ["run", id],
    queryFn: ({ signal }) => answer(api.GET("/api/v1/runs/{run_id}", { params: { path: { run_id: id } }, signal })),
    staleTime: Infinity,
  });
}

/** A key that makes one press one experiment, however often its request is sent. */
export function pressKey(): string {
  // randomUUID exists in secure contexts only, and a lab's server is often plain HTTP
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Submit a definition's text as it stands; the key makes the press idempotent. */
async function submit({ text, key }: { text: string; key: string }): Promise<ExperimentDetail> {
  const headers = { "content-type": "application/yaml", "idempotency-key": key };
  let response: Response;
  try {
    response = await fetch("/api/v1/experiments", { method: "POST", headers, body: text });
  } catch {
    throw new Away();
  }
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw refusedBy(response.status, body);
  return body as ExperimentDetail;
}

const AGAIN_AT_MOST = 3;

export function useSubmit() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: submit,
    retry: (failures, error) => error instanceof Away && failures < AGAIN_AT_MOST,
    onSuccess: (made) => {
      client.setQueryData(experimentKey(made.id), made);
      void client.invalidateQueries({ queryKey: ["experiments"] });
    },
  });
}

export function useCancel(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      answer(api.POST("/api/v1/experiments/{experiment_id}/cancel", { params: { path: { experiment_id: id } } })),
    onSettled: () => client.invalidateQueries({ queryKey: experimentKey(id) }),
  });
}

export function useRerun(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (key: string) =>
      answer(
        api.POST("/api/v1/experiments/{experiment_id}/rerun", {
          params: { path: { experiment_id: id }, header: { "idempotency-key": key } },
        }),
      ),
    onSuccess: (made) => {
      client.setQueryData(experimentKey(made.id), made);
      void client.invalidateQueries({ queryKey: ["experiments"] });
    },
  });
}
