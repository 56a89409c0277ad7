/** The program prints the documents that are in the tree. */
import { readFileSync } from "node:fs";
import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { ledgerFormatDocument } from "../packages/ledger/test/documents/format.js";
import { Terminal } from "../src/cli/output/terminal.js";
import { type SchemaOptions, schema } from "../src/cli/schema/schema.js";
import { revisions } from "../src/schemas/index.js";
import { manPage } from "./documents/man-page.js";
import { relationsDocument } from "./documents/relations.js";
import { replayRules, replayRulesDocument, rulesWithoutSource } from "./documents/replay-rules.js";

async function printed(options: Partial<SchemaOptions>): Promise<string> {
  let text = "";
  const out = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  const terminal = new Terminal(out, out);
  const all: SchemaOptions = {
    revision: "core-0.11",
    json: false,
    markdown: true,
    compare: undefined,
    db: undefined,
    jsonOutput: undefined,
    keyFile: undefined,
  };
  await schema.run(terminal, { kind: undefined }, { ...all, ...options });
  await terminal.flush();
  return text;
}

describe("docs", () => {
  it.each(revisions.map(({ name }) => name))("schema-%s.md is the output of `npm run docs`", async (name) => {
    const file = new URL(`../docs/reference/schema-${name}.md`, import.meta.url);
    expect(readFileSync(file, "utf8")).toBe(await printed({ revision: name }));
  });

  it("what-changed.md is the output of `npm run docs`", async () => {
    const file = new URL("../docs/reference/what-changed.md", import.meta.url);
    expect(readFileSync(file, "utf8")).toBe(await printed({ compare: ["core-0.10", "core-0.11"] }));
  });

  it("relations.md is what `npm run docs` writes", () => {
    const file = new URL("../docs/reference/relations.md", import.meta.url);
    expect(readFileSync(file, "utf8")).toBe(relationsDocument());
  });

  it("replay-rules.md is what `npm run docs` writes", () => {
    const file = new URL("../docs/reference/replay-rules.md", import.meta.url);
    expect(readFileSync(file, "utf8")).toBe(replayRulesDocument());
  });

  it("each rule of the replay names its source", () => {
    expect(rulesWithoutSource()).toEqual([]);
    expect(replayRules().length).toBeGreaterThan(15);
  });

  it("merostore.1 is what `npm run docs` writes", () => {
    expect(readFileSync(new URL("../man/merostore.1", import.meta.url), "utf8")).toBe(manPage());
  });

  it("the tables of ledger-format.md are what `npm run docs` writes", () => {
    const file = new URL("../packages/ledger/docs/ledger-format.md", import.meta.url);
    const text = readFileSync(file, "utf8");
    expect(text).toBe(ledgerFormatDocument(text));
  });
});
