import { StreamLanguage } from "@codemirror/language";

/** Colours a fio job file: sections, options, numbers with their suffixes, variables, comments. */
export const fio = StreamLanguage.define<{ inValue: boolean }>({
  name: "fio",
  startState: () => ({ inValue: false }),
  token(stream, state) {
    if (stream.sol()) {
      state.inValue = false;
      if (stream.match(/^\s*[#;].*/)) return "comment";
      if (stream.match(/^\s*\[[^\]]*\]/)) return "heading";
      if (stream.match(/^\s*include\b/)) return "keyword";
    }
    if (stream.eatSpace()) return null;
    if (!state.inValue) {
      if (stream.eat("=")) {
        state.inValue = true;
        return "operator";
      }
      if (stream.match(/^[^=\s]+/)) return "propertyName";
    }
    if (stream.match(/^\$\{[^}]*\}/)) return "variableName";
    if (stream.match(/^-?\d+(\.\d+)?\s*[a-zA-Z%]*/)) return "number";
    if (!stream.match(/^[^\s\d$]+/)) stream.next();
    return null;
  },
  languageData: { commentTokens: { line: "#" } },
});
