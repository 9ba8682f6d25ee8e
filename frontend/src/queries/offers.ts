import { queryOptions } from "@tanstack/react-query";

import { answer, api } from "../api/client";

const KEPT_MS = 300_000;

export const runnersQuery = queryOptions({
  queryKey: ["runners"],
  queryFn: ({ signal }) => answer(api.GET("/api/v1/runners", { signal })),
  staleTime: KEPT_MS,
});

export const devicesQuery = queryOptions({
  queryKey: ["devices"],
  queryFn: ({ signal }) => answer(api.GET("/api/v1/devices", { signal })),
  staleTime: KEPT_MS,
});

export const workloadsQuery = queryOptions({
  queryKey: ["workloads"],
  queryFn: ({ signal }) => answer(api.GET("/api/v1/workloads", { signal })),
  staleTime: KEPT_MS,
});

export const mechanismsQuery = queryOptions({
  queryKey: ["mechanisms"],
  queryFn: ({ signal }) => answer(api.GET("/api/v1/mechanisms", { signal })),
  staleTime: KEPT_MS,
});

export const selftestQuery = queryOptions({
  queryKey: ["selftest"],
  queryFn: ({ signal }) => answer(api.GET("/api/v1/selftest", { signal })),
  staleTime: Infinity,
});

export const examplesQuery = queryOptions({
  queryKey: ["examples"],
  queryFn: ({ signal }) => answer(api.GET("/api/v1/examples", { signal })),
  staleTime: KEPT_MS,
});
