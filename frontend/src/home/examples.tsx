import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";

import type { ExampleOffer } from "../api/types";
import { pressKey, useSubmit } from "../queries/experiments";
import { examplesQuery } from "../queries/offers";
import { Fault, faultWords, Skeleton } from "../ui/feedback";

export function Examples() {
  const examples = useQuery(examplesQuery);
  return (
    <section className="card" aria-labelledby="examples-title">
      <h2 id="examples-title">Examples</h2>
      {examples.isPending && <Skeleton height="24rem" />}
      {examples.isError && <Fault error={examples.error} again={() => void examples.refetch()} />}
      <ul className="examples">
        {examples.data?.map((example) => (
          <Example key={example.name} example={example} />
        ))}
      </ul>
    </section>
  );
}

function Example({ example }: { example: ExampleOffer }) {
  const [, navigate] = useLocation();
  const submit = useSubmit();
  const run = () => {
    if (submit.isPending) return;
    submit.mutate(
      { text: example.text, key: pressKey() },
      { onSuccess: (made) => navigate(`/experiments/${made.id}`) },
    );
  };
  return (
    <li>
      <h3>{example.title}</h3>
      <p className="small soft">{example.meaning}</p>
      <p className="row small">
        <button
          type="button"
          className="button"
          onClick={run}
          disabled={submit.isPending}
          aria-label={`Run: ${example.title}`}
        >
          Run
        </button>
        <Link href={`/new?example=${encodeURIComponent(example.name)}`} aria-label={`Open: ${example.title}`}>
          Open
        </Link>
      </p>
      {submit.isError && (
        <p className="fault" role="alert">
          {faultWords(submit.error)}
        </p>
      )}
    </li>
  );
}
