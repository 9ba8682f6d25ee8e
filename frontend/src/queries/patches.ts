import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";

import { answer, api, Away, refusedBy } from "../api/client";
import type { PatchDetail } from "../api/types";

const PAGE = 25;

export function patchesQuery(words: string) {
  return infiniteQueryOptions({
    queryKey: ["patches", words],
    queryFn: ({ signal, pageParam }) =>
      answer(
        api.GET("/api/v1/patches", {
          params: { query: { limit: PAGE, cursor: pageParam, q: words || undefined } },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: keepPreviousData,
  });
}

export function patchKey(id: string) {
  return ["patch", id] as const;
}

export function patchQuery(id: string) {
  return queryOptions({
    queryKey: patchKey(id),
    queryFn: ({ signal }) =>
      answer(api.GET("/api/v1/patches/{patch_id}", { params: { path: { patch_id: id } }, signal })),
    staleTime: Infinity,
  });
}

type Text = Promise<{ data?: unknown; error?: unknown; response: Response }>;

export function patchDiffQuery(id: string, number: number) {
  return queryOptions({
    queryKey: ["patch-diff", id, number],
    queryFn: async ({ signal }) =>
      (await answer(
        api.GET("/api/v1/patches/{patch_id}/diffs/{number}", {
          params: { path: { patch_id: id, number } },
          parseAs: "text",
          signal,
        }) as Text,
      )) as string,
    staleTime: Infinity,
  });
}

export function patchTextQuery(id: string) {
  return queryOptions({
    queryKey: ["patch-text", id],
    queryFn: async ({ signal }) =>
      (await answer(
        api.GET("/api/v1/patches/{patch_id}/text", {
          params: { path: { patch_id: id } },
          parseAs: "text",
          signal,
        }) as Text,
      )) as string,
    staleTime: Infinity,
  });
}

/** What changed since an older series, or since the version before in the same text. */
export function rangeDiffQuery(id: string, older: string | undefined) {
  return queryOptions({
    queryKey: ["range-diff", id, older ?? ""],
    queryFn: ({ signal }) =>
      answer(
        api.GET("/api/v1/patches/{patch_id}/range-diff", {
          params: { path: { patch_id: id }, query: { older } },
          signal,
        }),
      ),
    staleTime: Infinity,
  });
}

/** A text or a file goes as it is, byte for byte; one line with an address or a Message-ID is where the server brings the patch from. */
async function bring(given: string | File): Promise<PatchDetail> {
  const line = typeof given === "string" ? given.trim() : "";
  const isLocator = /^(?:https:\/\/\S+|<?[^\s<>@]+@[^\s<>@]+>?)$/.test(line);
  const type = isLocator ? "application/json" : "text/plain";
  let response: Response;
  try {
    response = await fetch("/api/v1/patches", {
      method: "POST",
      headers: { "content-type": type },
      body: isLocator ? JSON.stringify({ url: line }) : given,
    });
  } catch {
    throw new Away();
  }
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw refusedBy(response.status, body);
  return body as PatchDetail;
}

export function useBringPatch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: bring,
    onSuccess: (made) => {
      client.setQueryData(patchKey(made.id), made);
      void client.invalidateQueries({ queryKey: ["patches"] });
    },
  });
}
