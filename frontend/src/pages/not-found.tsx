import { Link } from "wouter";

import { Heading } from "../ui/shell";

export function NotFound({ what = "There is nothing at this address." }: { what?: string }) {
  return (
    <div className="stack">
      <Heading title="Not found" />
      <p>{what}</p>
      <p className="row">
        <Link href="/">All experiments</Link>
        <Link href="/new">New experiment</Link>
      </p>
    </div>
  );
}
