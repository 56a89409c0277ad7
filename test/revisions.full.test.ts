/** The modules of single revisions: complete, and all names plain. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Codec } from "../src/codec/index.js";
import { openMemoryEngine } from "../src/engines/memory/index.js";
import * as core010 from "../src/revisions/core-0.10.js";
import * as core011 from "../src/revisions/core-0.11.js";
import * as documented from "../src/revisions/documented.js";
import { storeOn } from "../src/store/browser.js";

const id = new Uint8Array(32).fill(7);

describe.each([
  ["documented", documented, documented.schema],
  ["core-0.10", core010, core010.schema],
  ["core-0.11", core011, core011.schema],
] as const)("merostore/%s", (name, module, schema) => {
  const exported = module as Readonly<Record<string, unknown>>;

  it("exports the key class of every kind of row", () => {
    for (const { kind, key } of schema.rows) expect(exported[kind], kind).toBe(key);
  });

  it("exports every named type of its revision", () => {
    const named = Object.entries<Codec<unknown>>(schema.types).filter(([type, codec]) => codec.type === type);
    const codecs = new Set(Object.values(exported).filter((one) => one instanceof Codec));
    expect(named.filter(([, codec]) => !codecs.has(codec)).map(([type]) => type)).toEqual([]);
  });

  it("exports no name of another revision", () => {
    const suffixed = Object.keys(exported).filter((one) => /(010|Documented)$/.test(one));
    expect(suffixed).toEqual(name === "core-0.10" ? ["core010"] : []);
  });

  it("is the output of `npm run docs`", async () => {
    const { revisionModule } = await import("../scripts/revision-modules.mjs");
    const file = new URL(`../src/revisions/${name}.ts`, import.meta.url);
    const { stdout } = spawnSync("npx", ["biome", "check", "--write", `--stdin-file-path=${file.pathname}`], {
      input: revisionModule(name),
      encoding: "utf8",
    });
    expect(readFileSync(file, "utf8")).toBe(stdout);
  });
});

describe("a class of another revision", () => {
  const open = async () =>
    storeOn(openMemoryEngine({ columns: core011.schema.columns }), { schema: core011.schema });

  it("names the module to import it from", async () => {
    await using store = await open();
    const key = new core010.GroupMember({ groupId: id, identity: id });
    const message =
      'GroupMember of core-0.10 and documented was given to a core-0.11 store; import it from "merostore/core-0.11"';
    // @ts-expect-error a key of another revision
    await expect(store.get(key)).rejects.toThrow(message);
    // @ts-expect-error a class of another revision
    expect(() => store.table(core010.GroupMember).scan()).toThrow(message);
  });

  it("of a kind that the revision does not have: reports this", async () => {
    await using store = await open();
    const key = new core010.GroupSigningKey({ groupId: id, publicKey: id });
    // @ts-expect-error a key of another revision
    await expect(store.get(key)).rejects.toThrow("core-0.11 has no rows of kind GroupSigningKey");
  });
});
