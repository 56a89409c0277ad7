/** Documents that are printed by the program are those that are in the tree. */
import { readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { schemaCommand } from "../src/cli/schema.js";
import { Terminal } from "../src/cli/terminal.js";
import { revisions } from "../src/schemas/index.js";

async function printed(revision: string): Promise<string> {
  const out = new PassThrough();
  const terminal = new Terminal(out, new PassThrough());
  await schemaCommand(terminal, { revision, markdown: true });
  await terminal.flush();
  return String(out.read());
}

describe("docs", () => {
  it.each(revisions.map(({ name }) => name))("schema-%s.md is what `npm run docs` prints", async (name) => {
    const file = new URL(`../docs/schema-${name}.md`, import.meta.url);
    expect(readFileSync(file, "utf8")).toBe(await printed(name));
  });
});
