import { lazy, Suspense } from "react";
import { Route, Switch, useLocation } from "wouter";

import { Home } from "./pages/home";
import { NotFound } from "./pages/not-found";
import { Crash } from "./ui/crash";
import { Skeleton } from "./ui/feedback";
import { Shell } from "./ui/shell";

// the editor and the plots are most of the script, and the first page needs neither
const New = lazy(() => import("./pages/new"));
const Experiment = lazy(() => import("./pages/experiment"));
const Report = lazy(() => import("./pages/report"));
const Patches = lazy(() => import("./pages/patches"));
const Series = lazy(() => import("./pages/series"));
const Reference = lazy(() => import("./pages/reference"));

function Loading() {
  return (
    <div className="stack" aria-busy="true">
      <Skeleton height="2rem" width="22rem" />
      <Skeleton height="100vh" />
    </div>
  );
}

export function App() {
  const [path] = useLocation();
  return (
    <Shell>
      <Crash key={path}>
        <Suspense fallback={<Loading />}>
          <Switch>
            <Route path="/" component={Home} />
            <Route path="/new" component={New} />
            <Route path="/experiments/:id">{({ id }) => <Experiment key={id} id={id} />}</Route>
            <Route path="/reports/:id">{({ id }) => <Report key={id} id={id} />}</Route>
            <Route path="/patches" component={Patches} />
            <Route path="/patches/:id">{({ id }) => <Series key={id} id={id} />}</Route>
            <Route path="/reference" component={Reference} />
            <Route>
              <NotFound />
            </Route>
          </Switch>
        </Suspense>
      </Crash>
    </Shell>
  );
}
