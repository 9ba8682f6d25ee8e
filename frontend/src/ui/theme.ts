import { useSyncExternalStore } from "react";

import { remember, remembered } from "../logic/storage";

export type Theme = "light" | "dark";

const system = () => globalThis.matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

function kept(): Theme | null {
  const value = remembered("theme");
  return value === "light" || value === "dark" ? value : null;
}

/** The theme that is shown: the reader's choice, else the system's. */
export function theme(): Theme {
  return kept() ?? (system().matches ? "dark" : "light");
}

/** Show the theme; called once before the page is drawn and after every change. */
export function applyTheme(): void {
  const choice = kept();
  if (choice) document.documentElement.dataset.theme = choice;
  else delete document.documentElement.dataset.theme;
}

export function switchTheme(): void {
  const next: Theme = theme() === "dark" ? "light" : "dark";
  remember("theme", next === (system().matches ? "dark" : "light") ? null : next);
  // without storage the choice holds for this page at least
  document.documentElement.dataset.theme = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  const media = system();
  listeners.add(listener);
  media.addEventListener("change", listener);
  return () => {
    listeners.delete(listener);
    media.removeEventListener("change", listener);
  };
}

function shown(): Theme {
  const set = document.documentElement.dataset.theme;
  return set === "light" || set === "dark" ? set : theme();
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, shown);
}
