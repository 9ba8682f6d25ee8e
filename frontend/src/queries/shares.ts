import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { answer, api } from "../api/client";

/** What can be shared. */
export type Shared = "experiment" | "report";

export function sharesQuery(of: Shared, id: string) {
  return queryOptions({
    queryKey: ["shares", id],
    queryFn: ({ signal }) =>
      of === "experiment"
        ? answer(
            api.GET("/api/v1/experiments/{experiment_id}/shares", { params: { path: { experiment_id: id } }, signal }),
          )
        : answer(api.GET("/api/v1/reports/{report_id}/shares", { params: { path: { report_id: id } }, signal })),
  });
}

export function useShare(of: Shared, id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      of === "experiment"
        ? answer(api.POST("/api/v1/experiments/{experiment_id}/shares", { params: { path: { experiment_id: id } } }))
        : answer(api.POST("/api/v1/reports/{report_id}/shares", { params: { path: { report_id: id } } })),
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
