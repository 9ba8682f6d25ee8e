import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { answer, api } from "../api/client";

export function sharesQuery(id: string) {
  return queryOptions({
    queryKey: ["shares", id],
    queryFn: ({ signal }) =>
      answer(
        api.GET("/api/v1/experiments/{experiment_id}/shares", { params: { path: { experiment_id: id } }, signal }),
      ),
  });
}

export function useShare(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      answer(api.POST("/api/v1/experiments/{experiment_id}/shares", { params: { path: { experiment_id: id } } })),
    onSettled: () => client.invalidateQueries({ queryKey: ["shares", id] }),
  });
}

export function useRevoke(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (slug: string) => answer(api.DELETE("/api/v1/shares/{slug}", { params: { path: { slug } } })),
    onSettled: () => client.invalidateQueries({ queryKey: ["shares", id] }),
  });
}
