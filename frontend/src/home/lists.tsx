import { Link, useSearch } from "wouter";

import { ExperimentList } from "./list";
import { ReportList } from "./reports";

/** What was run here, or what was brought here; the address says which. */
export function Lists() {
  const reports = new URLSearchParams(useSearch()).get("show") === "reports";
  return (
    <section className="card" style={{ padding: 0 }} aria-labelledby="list-title">
      <h2 id="list-title" className="hidden-text">
        {reports ? "Reports" : "Experiments"}
      </h2>
      <nav className="list-tabs" aria-label="Lists">
        <Link href="/" aria-current={reports ? undefined : "page"}>
          Experiments
        </Link>
        <Link href="/?show=reports" aria-current={reports ? "page" : undefined}>
          Reports
        </Link>
      </nav>
      {reports ? <ReportList /> : <ExperimentList />}
    </section>
  );
}
