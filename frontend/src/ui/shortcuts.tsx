import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";

import { remember, remembered } from "../logic/storage";
import { switchTheme } from "./theme";

const KEYS: [string, string][] = [
  ["n", "New experiment"],
  ["e", "Experiments"],
  ["p", "Patches"],
  ["r", "Reference"],
  ["j k", "Next or previous patch, on a series' page"],
  ["/", "Go to the filter of the page"],
  ["t", "Dark or light"],
  ["Ctrl Enter", "Run, on the page of a new experiment"],
  ["Tab", "Leave a text editor"],
  ["?", "This sheet"],
];

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, select, textarea, [contenteditable], dialog") !== null;
}

/** The sheet of keys, opened by `?` or its button; single keys can be switched off for those whom they disturb. */
export function Shortcuts({ open, setOpen }: { open: boolean; setOpen: (open: boolean) => void }) {
  const [, navigate] = useLocation();
  const [single, setSingle] = useState(() => remembered("keys") !== "off");
  const dialog = useRef<HTMLDialogElement>(null);

  useEffect(() => {
    const element = dialog.current;
    if (open && element && !element.open) element.showModal();
    if (!open && element?.open) element.close();
  }, [open]);

  useEffect(() => {
    if (!single) return undefined;
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      const acts: Record<string, () => void> = {
        n: () => navigate("/new"),
        e: () => navigate("/"),
        p: () => navigate("/patches"),
        r: () => navigate("/reference"),
        t: switchTheme,
        "?": () => setOpen(true),
        "/": () => document.querySelector<HTMLElement>("[data-filter]")?.focus(),
      };
      const act = acts[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [single, navigate, setOpen]);

  return (
    <dialog ref={dialog} onClose={() => setOpen(false)} aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl className="keys">
        {KEYS.map(([key, meaning]) => (
          <div key={key} style={{ display: "contents" }}>
            <dt>
              {key.split(" ").map((part) => (
                <kbd key={part}>{part}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <div className="row spread">
        <label className="row small">
          <input
            type="checkbox"
            checked={single}
            onChange={(event) => {
              setSingle(event.target.checked);
              remember("keys", event.target.checked ? null : "off");
            }}
          />
          Single keys act
        </label>
        <button type="button" className="button" onClick={() => setOpen(false)}>
          Close
        </button>
      </div>
    </dialog>
  );
}
