/** Functions name an argument that is not a store, a source or a row, and close only what they opened. */
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../src/bytes/hex.js";
import * as codecs from "../src/codec/index.js";
import { diffByContext, diffRows } from "../src/diff/index.js";
import * as diff from "../src/entries/diff.js";
import * as engine from "../src/entries/engine.js";
import * as node from "../src/entries/node.js";
import * as transfer from "../src/entries/transfer.js";
import { byte, keyParts, paddedText, scope16 } from "../src/keys/index.js";
import { core011, defineSchema, detectRevision, explainRow, row, rowToJson } from "../src/schemas/index.js";
import { parquetOf } from "../src/sql/index.js";
import * as state from "../src/state/index.js";
import { countRows, openStore } from "../src/store/index.js";
import * as testing from "../src/testing/index.js";
import { on, onEach, revisionsOf, verifyStore } from "../src/verify/index.js";
import { fixturePath } from "./support/fixtures.js";

const invalid = expect.objectContaining({ code: "INVALID_ARGUMENT" });

describe("values of JavaScript programs in the place of keys, codecs and bytes", () => {
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

type AnyFunction = (...given: readonly never[]) => unknown;

/** Functions of a module by their names. */
function functionsOf<Name extends string>(
  module: Readonly<Record<Name, AnyFunction>>,
  ...names: readonly Name[]
): (readonly [name: string, call: AnyFunction])[] {
  return names.map((name) => [name, module[name]]);
}

/** Functions of the entry points that take a store, a state, a row, a list, a text or bytes first. */
const functions = [
  ...functionsOf(node, "blobChunks", "checkBlobs", "collectBlobs", "deleteBlob", "deltaToJson", "graphId"),
  ...functionsOf(
    node,
    "hasBlob",
    "hexRange",
    "hidesChunks",
    "memberFacts",
    "operationFields",
    "partialStore",
  ),
  ...functionsOf(node, "operationToJson", "permissionOf", "placesIn", "putBlob", "readBlob", "readBlobTable"),
  ...functionsOf(node, "readBlobUses", "repairBlobCounts", "replayFacts", "resolveNamespace", "sentenceText"),
  ...functionsOf(node, "signedThing", "startsAsTyped", "thingToJson", "thingsIn", "typedBytes", "wholeId"),
  ...functionsOf(state, "changedEntries", "compareWithRecord", "contextCode", "contextMigrations"),
  ...functionsOf(state, "contradictions", "countEntities", "entityDetails", "entityKeys", "entryChanges"),
  ...functionsOf(state, "fieldParts", "lostDeltas", "manifestOf", "manifestOfBundle", "manifestOfWasm"),
  ...functionsOf(state, "manifestToJson", "parsePath", "parseRecord", "partAt", "partContent", "partCount"),
  ...functionsOf(state, "partsIn", "pastValueAt", "placeOfEntity", "problemJson", "readReplay", "readerAt"),
  ...functionsOf(state, "smallestPart", "stateJson", "stateKeysOf", "stateOf", "stateRootOf", "storedHash"),
  ...functionsOf(state, "surveyState", "valueCodec", "valueJson", "versionWarnings"),
  ...functionsOf(diff, "kindSentences", "rootHashes", "rowsOfStore", "sentencesOf", "stuck", "whyDiffer"),
  ...functionsOf(transfer, "copyDatabase", "exportStore", "readExport", "rewriteDatabase", "schemaOfExport"),
  ...functionsOf(transfer, "selectedIn"),
  ...functionsOf(engine, "countEncryption", "masterKeyFromHex", "openEncrypted", "recogniseEncryption"),
  ...functionsOf({ on, onEach, parquetOf, revisionsOf }, "on", "onEach", "parquetOf", "revisionsOf"),
];

describe("values of JavaScript programs in the place of stores, states, lists, texts and bytes", () => {
  it.each(functions)("%s", async (_name, call) => {
    const id = "ab".repeat(32);
    for (const given of [[], [undefined, id], [undefined, id, id]] as const)
      await expect(ended(call, given)).rejects.toThrow(invalid);
  });

  it.each<[name: string, call: AnyFunction, ...given: readonly unknown[]]>([
    ["stateOf", state.stateOf, {}, "ab".repeat(32)],
    ["whyDiffer", diff.whyDiffer, [undefined, undefined]],
    ["stuck", diff.stuck, [{ name: "a" }]],
    ["copyDatabase", transfer.copyDatabase, {}, "/nowhere/copy"],
    ["createDatabase", engine.createDatabase, "/nowhere/db", undefined, () => undefined],
    ["deriveKey", engine.deriveKey, "key", 1],
    ["associatedDataOf", engine.associatedDataOf, "core-0.11", "value"],
    ["engineConformance", testing.engineConformance, "mine", undefined, { describe, it }],
    ["readerConformance", testing.readerConformance, "mine", { open: () => undefined }, undefined],
    ["StateChanges", (given: never) => new state.StateChanges(given), undefined],
    ["StateHistory", (given: never) => new state.StateHistory(given, given), {}],
  ])("%s, in another place", async (_name, call, ...given) => {
    await expect(ended(call, given)).rejects.toThrow(invalid);
  });

  it("methods of a node", async () => {
    await using store = await openStore(fixturePath("core-0.11/node-a/db"));
    const here = new node.CalimeroNode(store);
    const id = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";
    await expect(here.at(undefined as never)).rejects.toThrow(invalid);
    await expect(here.resolve(id, "context" as never)).rejects.toThrow(invalid);
    await expect(here.deltasOf(id, undefined as never)).rejects.toThrow(invalid);
  });
});

/** Calls a function, and reads the first thing that an iterable result gives. */
async function ended(call: AnyFunction, given: readonly unknown[]): Promise<unknown> {
  const found = await call(...(given as readonly never[]));
  if (typeof found === "object" && found !== null && Symbol.asyncIterator in found)
    for await (const first of found as AsyncIterable<unknown>) return first;
  return found;
}

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
