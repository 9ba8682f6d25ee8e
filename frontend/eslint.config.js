// @ts-check
import js from "@eslint/js";
import hooks from "eslint-plugin-react-hooks";
import ts from "typescript-eslint";

const PLOT_LIBRARY = { name: "uplot", message: "src/plots owns the plot library." };

/** What each folder must not import: data flows from api through logic and queries up to the pages. */
const ABOVE = {
  api: ["logic", "queries", "ui", "plots", "editor", "define", "experiment", "home", "pages"],
  logic: ["queries", "ui", "plots", "editor", "define", "experiment", "home", "pages"],
  queries: ["ui", "plots", "editor", "define", "experiment", "home", "pages"],
  ui: ["plots", "editor", "define", "experiment", "home", "pages"],
  plots: ["queries", "editor", "define", "experiment", "home", "pages"],
  editor: ["queries", "plots", "define", "experiment", "home", "pages"],
  define: ["plots", "experiment", "home", "pages"],
  experiment: ["editor", "define", "home", "pages"],
  diff: ["plots", "editor", "define", "experiment", "home", "patches", "pages"],
  patches: ["plots", "editor", "define", "experiment", "home", "pages"],
  home: ["plots", "editor", "define", "experiment", "pages"],
};

const layers = Object.entries(ABOVE).map(([folder, above]) => ({
  files: [`src/${folder}/**`],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        paths: folder === "plots" ? [] : [PLOT_LIBRARY],
        patterns: [{ group: above.map((name) => `**/${name}/*`), message: `src/${folder} stands below it.` }],
      },
    ],
  },
}));

export default ts.config(
  { ignores: ["dist", "src/api/*.generated.*"] },
  js.configs.recommended,
  ...ts.configs.recommended,
  {
    files: ["src/**/*.{ts,tsx}"],
    plugins: { "react-hooks": hooks },
    rules: {
      ...hooks.configs.recommended.rules,
      eqeqeq: "error",
      "no-console": "error",
      "no-restricted-imports": ["error", { paths: [PLOT_LIBRARY] }],
      "no-restricted-syntax": [
        "error",
        {
          selector: "JSXAttribute[name.name='dangerouslySetInnerHTML'], MemberExpression[property.name='innerHTML']",
          message: "Text from outside is only ever rendered as text.",
        },
      ],
      "max-lines": ["error", { max: 400 }],
      "max-lines-per-function": ["error", { max: 90, skipBlankLines: true, skipComments: true }],
    },
  },
  { files: ["src/pages/*.tsx"], rules: { "max-lines": ["error", { max: 250 }] } },
  ...layers,
  { files: ["src/**/*.test.ts"], rules: { "max-lines-per-function": "off" } },
);
