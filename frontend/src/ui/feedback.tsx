import type { ReactNode } from "react";

import { Away, Refused } from "../api/client";

/** A grey shape where something will stand, as high as that will be. */
export function Skeleton({ height, width = "100%" }: { height: string; width?: string }) {
  return <span className="skeleton" style={{ height, width }} aria-hidden="true" />;
}

/** A fault in words, with what can be done about it. */
export function Fault({ error, again }: { error: unknown; again?: () => void }) {
  return (
    <div className="note bad" role="alert">
      <p>{faultWords(error)}</p>
      {again && (
        <p>
          <button type="button" className="button link" onClick={again}>
            Try again
          </button>
        </p>
      )}
    </div>
  );
}

export function faultWords(error: unknown): string {
  if (error instanceof Away) return "The server does not answer. It is asked again every two seconds.";
  if (error instanceof Refused) return sentence(error.message);
  return "Something went wrong on this page. Reload it; if that does not help, the browser's console says more.";
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function Note({ kind = "", children }: { kind?: "" | "warn" | "bad"; children: ReactNode }) {
  return <div className={`note ${kind}`}>{children}</div>;
}
