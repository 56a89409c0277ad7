/** The schemas of commands' output with --json. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { jsonOutputFile } from "../../scripts/json-output.mjs";

it("json-output.json is what `npm run docs` writes", () => {
  const file = new URL("../../src/cli/schema/json-output.json", import.meta.url);
  expect(readFileSync(file, "utf8")).toBe(jsonOutputFile());
});
