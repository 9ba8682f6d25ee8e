import { lazy, Suspense } from "react";

import { Skeleton } from "../ui/feedback";
import type { PlotProperties } from "./plot";

const Loaded = lazy(() => import("./plot"));

/** A plot whose library is fetched when the first one is shown; its place is kept meanwhile. */
export function Plot(properties: PlotProperties) {
  return (
    <Suspense fallback={<Skeleton height={`${properties.height + 34}px`} />}>
      <Loaded {...properties} />
    </Suspense>
  );
}
