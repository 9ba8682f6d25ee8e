import { QueryClient } from "@tanstack/react-query";

import { Away, Refused } from "../api/client";

/** One cache for the page. What the server refused is not asked again; when it is away, the page says so and waits. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchOnWindowFocus: true,
      networkMode: "always",
      retry: (failures, error) => !(error instanceof Refused) && !(error instanceof Away) && failures < 2,
    },
    mutations: { networkMode: "always" },
  },
});
