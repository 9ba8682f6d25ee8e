/** Read from the browser's storage; null where it is empty, switched off or full. */
export function remembered(key: string): string | null {
  try {
    return globalThis.localStorage.getItem(`lodestone.${key}`);
  } catch {
    return null;
  }
}

/** Keep something in the browser's storage, or forget it with null; storage that is off or full loses it silently. */
export function remember(key: string, value: string | null): void {
  try {
    if (value === null) globalThis.localStorage.removeItem(`lodestone.${key}`);
    else globalThis.localStorage.setItem(`lodestone.${key}`, value);
  } catch {
    // private windows and full disks: a draft is a convenience, not a promise
  }
}
