import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";

import { type Shared, sharesQuery, useRevoke, useShare } from "../queries/shares";
import { CopyButton, copyText } from "../ui/copy";
import { Fault } from "../ui/feedback";
import { Age } from "../ui/time";

/** Makes, copies, lists and revokes the read-only links of an experiment or a report. */
export function Share({ of, id }: { of: Shared; id: string }) {
  const [open, setOpen] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) dialog.current?.showModal();
  }, [open]);
  return (
    <>
      <button type="button" className="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Share
      </button>
      <dialog ref={dialog} aria-labelledby="share-title" onClose={() => setOpen(false)}>
        {open && <Links of={of} id={id} />}
        <p className="row" style={{ justifyContent: "flex-end", marginTop: "var(--s4)" }}>
          <button type="button" className="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </p>
      </dialog>
    </>
  );
}

function address(path: string): string {
  return `${globalThis.location.origin}${path}`;
}

function Links({ of, id }: { of: Shared; id: string }) {
  const shares = useQuery(sharesQuery(of, id));
  const share = useShare(of, id);
  const revoke = useRevoke(id);
  const [copied, setCopied] = useState<string | null>(null);
  const make = () =>
    share.mutate(undefined, {
      onSuccess: (made) => {
        void copyText(address(made.path)).then((done) => setCopied(done ? made.slug : null));
      },
    });
  return (
    <div className="stack">
      <h2 id="share-title">Share</h2>
      <p className="small soft">
        A link shows this comparison as it is now to everyone who has it, without scripts and without a login. It can be
        revoked.
      </p>
      <p>
        <button type="button" className="button primary" onClick={make} disabled={share.isPending}>
          {share.isPending ? "Making…" : "Make a link and copy it"}
        </button>
      </p>
      {share.isError && <Fault error={share.error} />}
      {revoke.isError && <Fault error={revoke.error} />}
      {shares.isError && <Fault error={shares.error} again={() => void shares.refetch()} />}
      <ul className="shares" aria-label="Links">
        {shares.data?.map((entry) => (
          <li key={entry.slug}>
            <a href={entry.path} target="_blank" rel="noreferrer" style={{ flex: "1 1 14rem" }}>
              {address(entry.path)}
            </a>
            <span className="small soft">
              <Age ms={entry.created_ms} />
            </span>
            <CopyButton text={address(entry.path)} className="button quiet small">
              {copied === entry.slug ? "Copied" : "Copy"}
            </CopyButton>
            <button
              type="button"
              className="button quiet small"
              disabled={revoke.isPending && revoke.variables === entry.slug}
              onClick={() => revoke.mutate(entry.slug)}
              aria-label={`Revoke ${entry.path}`}
            >
              Revoke
            </button>
          </li>
        ))}
      </ul>
      {shares.data?.length === 0 && <p className="soft small">There is no link yet.</p>}
    </div>
  );
}
