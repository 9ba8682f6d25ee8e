import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import openapiTS, { astToString, COMMENT_HEADER } from "openapi-typescript";
import { expect, test } from "vitest";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

test("the generated types are those of the committed OpenAPI document (npm run generate)", async () => {
  const made = `${COMMENT_HEADER}${astToString(await openapiTS(new URL(`file://${path("./openapi.generated.json")}`)))}`;
  expect(readFileSync(path("./schema.generated.ts"), "utf8")).toBe(made);
}, 30_000);

test("no address of a package registry is in the lock file", () => {
  const lock = readFileSync(path("../../package-lock.json"), "utf8");
  expect(lock).not.toContain('"resolved"');
  expect(lock).not.toMatch(/registry\./);
});
