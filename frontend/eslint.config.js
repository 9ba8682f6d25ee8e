// @ts-check
import js from "@eslint/js";
import hooks from "eslint-plugin-react-hooks";
import ts from "typescript-eslint";

const drawing = {
  paths: [{ name: "uplot", message: "src/plots owns the plot library." }],
};

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
      "no-restricted-imports": ["error", drawing],
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
  { files: ["src/plots/**"], rules: { "no-restricted-imports": "off" } },
  { files: ["src/**/*.test.ts"], rules: { "max-lines-per-function": "off" } },
);
