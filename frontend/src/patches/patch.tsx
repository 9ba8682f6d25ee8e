import "./patches.css";

import { useState } from "react";

import type { Patch } from "../api/types";
import { Counts } from "../diff/counts";
import { DiffFiles } from "../diff/files";
import { place, prose } from "../logic/series";

/** One patch or the cover letter: message, trailers, and the diff once it is opened. */
export function PatchDetails({ id, number, patch, open }: { id: string; number: number; patch: Patch; open: boolean }) {
  const [opened, setOpened] = useState(open);
  return (
    <details className="card patch" open={opened} onToggle={(event) => setOpened(event.currentTarget.open)} data-patch>
      <summary>
        <span className="position">{place(patch)}</span>
        <span className="subject">{patch.subject ?? "(no subject)"}</span>
        {patch.version > 1 && <span className="soft small">v{patch.version}</span>}
        {patch.files.length > 0 && <Counts files={patch.files} />}
      </summary>
      {opened && <Inside id={id} number={number} patch={patch} />}
    </details>
  );
}

function Inside({ id, number, patch }: { id: string; number: number; patch: Patch }) {
  const about = [
    patch.author,
    patch.date && new Date(patch.date).toLocaleString(),
    patch.message_id && `<${patch.message_id}>`,
  ];
  const message = prose(patch);
  return (
    <>
      <p className="soft small" style={{ overflowWrap: "anywhere" }}>
        {about.filter(Boolean).join(" · ") || "The text says neither who wrote this nor when."}
      </p>
      {message && <pre className="message">{message}</pre>}
      <People patch={patch} />
      {patch.notes && (
        <details>
          <summary>Notes below the three dashes</summary>
          <pre className="message">{patch.notes}</pre>
        </details>
      )}
      {patch.files.length > 0 ? (
        <DiffFiles id={id} number={number} patch={patch} />
      ) : (
        patch.position !== 0 && <p className="soft">There is no diff in this mail.</p>
      )}
    </>
  );
}

function People({ patch }: { patch: Patch }) {
  if (patch.trailers.length + patch.follow_ups.length === 0) return null;
  return (
    <dl className="trailers" aria-label="Trailers">
      {patch.trailers.map((trailer) => (
        <div key={`${trailer.line} ${trailer.key}`} style={{ display: "contents" }}>
          <dt>{trailer.key}</dt>
          <dd>{trailer.value}</dd>
        </div>
      ))}
      {patch.follow_ups.map((given) => (
        <div key={`${given.line} ${given.key}`} style={{ display: "contents" }}>
          <dt>{given.key}</dt>
          <dd>
            {given.value} <span className="soft">in a reply{given.sender ? ` by ${given.sender}` : ""}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
