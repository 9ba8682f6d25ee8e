import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { Away } from "../api/client";

const KNOCK_MS = 2_000;

/** Whether the server is away; while it is, it is asked every two seconds, and everything is read again once it answers. */
export function useServerAway(): boolean {
  const client = useQueryClient();
  const [away, setAway] = useState(false);

  useEffect(
    () =>
      client.getQueryCache().subscribe((event) => {
        if (event.type === "updated" && event.action.type === "error" && event.action.error instanceof Away) {
          setAway(true);
        }
        if (event.type === "updated" && event.action.type === "success") setAway(false);
      }),
    [client],
  );

  useEffect(() => {
    if (!away) return undefined;
    const timer = setInterval(() => {
      fetch("/healthz")
        .then((response) => {
          if (!response.ok) return;
          setAway(false);
          void client.invalidateQueries();
        })
        .catch(() => undefined);
    }, KNOCK_MS);
    return () => clearInterval(timer);
  }, [away, client]);

  return away;
}
