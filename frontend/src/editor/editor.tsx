import "./editor.css";

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Text } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef } from "react";

import { difference } from "../logic/difference";
import { fio } from "./fio-mode";

/** A finding at a line (from 1) and column (from 1) of the text. */
export interface Finding {
  line: number;
  column?: number;
  severity: "error" | "warning" | "info";
  message: string;
}

/** A line to show; a new object shows it again. */
export interface Place {
  line: number;
}

interface Properties {
  value: string;
  onChange: (value: string) => void;
  language: "fio" | "yaml";
  label: string;
  height: string;
  findings: readonly Finding[];
  place?: Place | null;
  invalid?: boolean;
}

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--ink-soft)", fontStyle: "italic" },
  { tag: tags.heading, color: "var(--bad)", fontWeight: "600" },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--good)" },
  { tag: [tags.variableName, tags.keyword], color: "var(--open)" },
]);

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "0.8125rem", backgroundColor: "var(--card)", color: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-gutters": { backgroundColor: "var(--raised)", color: "var(--ink-soft)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent) 8%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--accent) 28%, transparent) !important",
  },
  ".cm-tooltip": { backgroundColor: "var(--card)", color: "var(--ink)", border: "1px solid var(--line-strong)" },
  ".cm-diagnostic": { fontFamily: "var(--sans)", maxWidth: "32rem" },
});

/** A text editor whose text belongs to the page: what is typed is told, and what is told is shown. */
export function Editor({ value, onChange, language, label, height, findings, place, invalid }: Properties) {
  const holder = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const told = useRef(onChange);
  const first = useRef(value);

  useEffect(() => {
    told.current = onChange;
  });

  useEffect(() => {
    if (!holder.current) return undefined;
    const made = new EditorView({
      parent: holder.current,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          lineNumbers(),
          lintGutter(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          language === "fio" ? fio : yaml(),
          syntaxHighlighting(colours),
          look,
          keymap.of([...defaultKeymap.filter((key) => key.key !== "Mod-Enter"), ...historyKeymap, ...lintKeymap]),
          EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", tabindex: "0" }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) told.current(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = made;
    return () => {
      first.current = made.state.doc.toString();
      made.destroy();
      view.current = null;
    };
  }, [language, label]);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const change = difference(editor.state.doc.toString(), value);
    if (change) editor.dispatch({ changes: change });
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (editor) editor.dispatch(setDiagnostics(editor.state, diagnostics(editor.state.doc, findings)));
  }, [findings]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || !place) return;
    const line = editor.state.doc.line(Math.min(Math.max(1, place.line), editor.state.doc.lines));
    editor.dispatch({
      selection: { anchor: line.from },
      effects: EditorView.scrollIntoView(line.from, { y: "center" }),
    });
    editor.focus();
  }, [place]);

  return <div ref={holder} className={`editor${invalid ? " invalid" : ""}`} style={{ height }} />;
}

function diagnostics(doc: Text, findings: readonly Finding[]): Diagnostic[] {
  return findings
    .map((finding) => {
      const line = doc.line(Math.min(Math.max(1, finding.line), doc.lines));
      const from = Math.min(line.from + Math.max(0, (finding.column ?? 1) - 1), line.to);
      return { from, to: line.to, severity: finding.severity, message: finding.message };
    })
    .sort((a, b) => a.from - b.from);
}
