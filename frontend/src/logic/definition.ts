import { Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, Scalar as YamlScalar } from "yaml";

import type { Definition, Scalar } from "../api/types";

/** The path of a value in a definition. */
export type Path = readonly (string | number)[];

const PRINT = { lineWidth: 0, flowCollectionPadding: false } as const;

/** A definition's text as a plain value, or the fault that makes it unreadable. */
export interface Reading {
  value: Record<string, unknown>;
  fault: { line: number; message: string } | null;
}

function parsed(text: string, lines?: LineCounter): Document.Parsed {
  // the server's YAML is 1.2 core too; merge keys and custom tags are refused there
  return parseDocument(text, { version: "1.2", schema: "core", lineCounter: lines, prettyErrors: false });
}

/** Read a definition's text (YAML, of which JSON is a part). */
export function readDefinition(text: string): Reading {
  const lines = new LineCounter();
  const document = parsed(text, lines);
  const error = document.errors[0];
  if (error) {
    return { value: {}, fault: { line: lines.linePos(error.pos[0]).line, message: error.message } };
  }
  if (!isMap(document.contents)) {
    return { value: {}, fault: { line: 1, message: "a definition is a mapping of keys such as runner and workload" } };
  }
  try {
    return { value: document.toJS({ maxAliasCount: 100 }) as Record<string, unknown>, fault: null };
  } catch (fault) {
    return { value: {}, fault: { line: 1, message: fault instanceof Error ? fault.message : "unreadable" } };
  }
}

/**
 * Return the text with one value changed (undefined takes it out), comments and order kept. Maps that become empty go
 * too. A text that cannot be read is returned as it is.
 */
export function edited(text: string, path: Path, value: unknown): string {
  const document = parsed(text);
  if (document.errors.length > 0 || !isMap(document.contents)) return text;
  const holder = path.slice(0, -1);
  try {
    if (value === undefined) {
      document.deleteIn(path);
      pruneEmpty(document, holder);
    } else if (holder.at(-1) === "device" && !isMap(document.getIn(holder))) {
      document.setIn(holder, node(document, holder, { [String(path.at(-1))]: value }));
    } else {
      document.setIn(path, node(document, path, value));
    }
  } catch {
    // something else than a map stands where the path leads; the text is the place to mend that
    return text;
  }
  return document.toString(PRINT);
}

function node(document: Document, path: Path, value: unknown): Node {
  if (typeof value === "string" && value.includes("\n")) {
    const block = new YamlScalar(value);
    block.type = YamlScalar.BLOCK_LITERAL;
    return block;
  }
  const old = document.getIn(path, true);
  if (isScalar(old) && typeof value !== "object") {
    // the comment beside a value stays with it
    const made = document.createNode(value);
    made.comment = old.comment ?? null;
    return made;
  }
  const last = path.at(-1);
  return document.createNode(value, { flow: last === "device" || last === "primary" });
}

function pruneEmpty(document: Document, path: Path): void {
  // an entry of a list is a thing of its own and stays, however little it says
  if (path.length === 0 || typeof path.at(-1) === "number") return;
  const holder = document.getIn(path);
  if ((isMap(holder) || isSeq(holder)) && holder.items.length === 0) {
    document.deleteIn(path);
    pruneEmpty(document, path.slice(0, -1));
  }
}

/** The line (from 1) that a path begins on, or that of its nearest parent; null for a text that cannot be read. */
export function lineOf(text: string, path: Path): number | null {
  const lines = new LineCounter();
  const document = parsed(text, lines);
  if (document.errors.length > 0) return null;
  for (let length = path.length; length > 0; length -= 1) {
    const parent = document.getIn(path.slice(0, length - 1), true);
    const key = path[length - 1];
    if (isMap(parent)) {
      const pair = parent.items.find((entry) => isScalar(entry.key) && String(entry.key.value) === String(key));
      if (pair && isScalar(pair.key) && pair.key.range) return lines.linePos(pair.key.range[0]).line;
    } else if (isSeq(parent)) {
      const item = parent.items[Number(key)] as Node | undefined;
      if (item?.range) return lines.linePos(item.range[0]).line;
    }
  }
  return null;
}

/** What a definition says where it says nothing; a test holds this table to the server's document. */
export const DEFAULTS: Record<string, unknown> = {
  title: "",
  description: "",
  kernel: null,
  clock: "virtual",
  order: "interleaved",
  repeat: 10,
  seed: 1,
  threshold_percent: 2,
  timeout: 600,
};

const ORDER = ["title", "description", "runner", "machine", "kernel", "clock", "device", "filesystem", "sysctl"];

/** Return a definition as the text a person would have written: defaults and empty parts left out. */
export function definitionText(definition: Definition): string {
  const kept = pruned(definition as unknown as Record<string, unknown>);
  const filesystem = kept.filesystem as Record<string, unknown> | undefined;
  if (filesystem && Object.keys(filesystem).length === 1 && filesystem.type === "raw") delete kept.filesystem;
  const keys = [...ORDER.filter((key) => key in kept), ...Object.keys(kept).filter((key) => !ORDER.includes(key))];
  const document = new Document({}, { version: "1.2", schema: "core" });
  for (const key of keys) document.set(key, node(document, [key], kept[key]));
  const variants = document.get("variants");
  if (isSeq(variants)) {
    for (const variant of variants.items) {
      const device = isMap(variant) ? variant.get("device") : null;
      if (isMap(device)) device.flow = true;
    }
  }
  return document.toString(PRINT);
}

function pruned(value: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(value)) {
    if (key in DEFAULTS && key !== "repeat" && entry === DEFAULTS[key]) continue;
    const inner = Array.isArray(entry) ? entry.map((item) => (isRecord(item) ? pruned(item) : item)) : entry;
    const smaller = isRecord(inner) ? pruned(inner) : inner;
    if (smaller === null || smaller === "" || isEmpty(smaller)) continue;
    kept[key] = smaller;
  }
  return kept;
}

function isEmpty(value: unknown): boolean {
  return (Array.isArray(value) && value.length === 0) || (isRecord(value) && Object.keys(value).length === 0);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Read what a person typed into a field as YAML would: whole numbers and decimals as numbers, else text. */
export function scalarOf(typed: string): Scalar {
  const text = typed.trim();
  // a whole number that would lose digits stays text, for the server to refuse
  if (/^[-+]?\d+$/.test(text)) return Number.isSafeInteger(Number(text)) ? Number(text) : text;
  if (/^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$/.test(text)) return Number(text);
  if (text === "true" || text === "false") return text === "true";
  return text;
}
