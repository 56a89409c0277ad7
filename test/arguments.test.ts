/** Functions that take stores, sources and rows refuse anything else by name, and close nothing that they did not open. */
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../src/bytes/hex.js";
import * as codecs from "../src/codec/index.js";
import { diffByContext, diffRows } from "../src/diff/index.js";
import { byte, keyParts, paddedText, scope16 } from "../src/keys/index.js";
import { core011, defineSchema, detectRevision, explainRow, row, rowToJson } from "../src/schemas/index.js";
import { countRows, openStore } from "../src/store/index.js";
import { verifyStore } from "../src/verify/index.js";
import { fixturePath } from "./support/fixtures.js";

const invalid = expect.objectContaining({ code: "INVALID_ARGUMENT" });

describe("what JavaScript programs give in the place of keys, codecs and bytes", () => {
  const { b32, checked, lenient, named, names, payload, recursive, seconds, secret } = codecs;
  it.each<[name: string, call: (...given: readonly never[]) => unknown, ...given: readonly unknown[]]>([
    ["fromHex", fromHex, undefined],
    ["fromHex", fromHex, 5],
    ["toHex", toHex, undefined],
    ["toHex", toHex, "00ff"],
    ["row", row, undefined, b32],
    ["row", row, core011.row("GroupMember").key, undefined],
    ["defineSchema", defineSchema],
    ["defineSchema", defineSchema, "mine", 5],
    ["defineSchema", defineSchema, "mine", [5]],
    ["defineSchema", defineSchema, "mine", [undefined]],
    ["keyParts", keyParts, "Note", "Notes", 1, undefined],
    ["keyParts", keyParts, "Note", "Notes", 1, {}],
    ["paddedText", paddedText, "name", undefined],
    ["scope16", scope16, "scope", undefined],
    ["byte", byte, "kind", null],
    ["explainRow", explainRow, undefined, "Group", new Uint8Array(3)],
    ["explainRow", explainRow, core011, "Group", "21"],
    ["explainRow", explainRow, core011, "Group", new Uint8Array(3), 5],
    ["detectRevision", detectRevision, undefined],
    ["countRows", (store: never) => countRows(store).next(), undefined],
    ["named", named, "Name", undefined],
    ["names", names, "Names", undefined],
    ["secret", secret, undefined],
    ["seconds", seconds, 5],
    ["checked", checked, undefined, "anything", () => true],
    ["lenient", lenient, b32, undefined],
    ["payload", payload, b32, undefined],
    ["recursive", recursive, "Tree", undefined],
  ])("%s", async (_name, call, ...given) => {
    await expect((async () => call(...(given as never[])))()).rejects.toThrow(invalid);
  });
});

describe("something that is not a store, a source or a row", () => {
  it("diffRows and diffByContext: stores instead of sources; the stores stay open", async () => {
    await using store = await openStore(fixturePath("core-0.11/node-a/db"));
    expect(() => diffRows(store as never, store as never)).toThrow("rowsOfStore(store)");
    await expect(diffByContext(store as never, store as never)).rejects.toThrow("rowsOfStore(store)");
    expect(await store.table("ContextMeta").count()).toBeGreaterThan(0);
  });

  it.each([["node/data"], [undefined], [null], [{}]])("verifyStore(%s)", (store) => {
    expect(() => verifyStore(store as never)).toThrow(invalid);
  });

  it("verifyStore: names of rules instead of rules", async () => {
    await using store = await openStore(fixturePath("core-0.11/node-a/db"));
    expect(() => verifyStore(store, { rules: ["delta-id"] as never })).toThrow(
      "a list of rules, not of names",
    );
  });

  it("rowToJson: a scanned row, which has its own JSON form", async () => {
    await using store = await openStore(fixturePath("core-0.11/node-a/db"), { schema: core011 });
    const row = await store.table("GroupMember").first();
    if (row === undefined) throw new Error("the fixture has no members");
    expect(() => rowToJson(row as never, "Group", row as never)).toThrow(invalid);
    expect(() => rowToJson(core011, "Group", row as never)).toThrow("toJSON()");
    const { kind, parts, decoded } = row.toJSON();
    expect(kind).toBe("GroupMember");
    expect(parts).toEqual(row.key.toJSON());
    expect(JSON.parse(JSON.stringify(row))).toEqual(row.toJSON());
    expect(decoded).toMatchObject({ role: expect.stringMatching(/^(Admin|Member)$/) });
  });
});
