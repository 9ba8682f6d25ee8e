import "../experiment/experiment.css";
import "../report/report.css";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { Refused } from "../api/client";
import { ComparisonTable } from "../experiment/table";
import { type Report as Kept, reportQuery } from "../queries/reports";
import { Claims } from "../report/claims";
import { Figures } from "../report/figures";
import { Header } from "../report/header";
import { Sides } from "../report/sides";
import { Tests } from "../report/tests";
import { Text } from "../report/text";
import { Warnings } from "../report/warnings";
import { Fault, Skeleton } from "../ui/feedback";
import { Heading } from "../ui/shell";
import { NotFound } from "./not-found";

/** Results that were measured elsewhere: the answer, how the sides were understood, and every figure at its line. */
export default function Report({ id }: { id: string }) {
  const query = useQuery(reportQuery(id));
  if (query.data) return <Whole report={query.data} />;
  if (query.error instanceof Refused && query.error.status === 404) {
    return <NotFound what="There is no such report on this server." />;
  }
  return (
    <div className="stack">
      <Heading title="Report" />
      {query.isError ? <Fault error={query.error} again={() => void query.refetch()} /> : <Skeleton height="100vh" />}
    </div>
  );
}

function Whole({ report }: { report: Kept }) {
  const [line, setLine] = useState<{ number: number } | null>(null);
  const go = (number: number) => setLine({ number });
  return (
    <div className="stack">
      <Header report={report} />
      {report.pairing && <Sides key={report.pairing.rule} report={report} pairing={report.pairing} />}
      {report.comparison && <ComparisonTable comparison={report.comparison} start="all" />}
      {report.claims.length > 0 && <Claims claims={report.claims} go={go} />}
      {report.tests_total > 0 && <Tests report={report} go={go} />}
      {report.warnings.length > 0 && <Warnings warnings={report.warnings} go={go} />}
      {report.results_total > 0 && <Figures report={report} go={go} />}
      <Text id={report.id} place={line} />
    </div>
  );
}
