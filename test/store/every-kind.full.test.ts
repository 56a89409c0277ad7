/** All 28 column families of core-1.0 in a database that RocksDB wrote with the options of a node. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { readStoredTables } from "../../src/engines/index.js";
import { core10, type Schema } from "../../src/schemas/index.js";
import { entityDetails, stateJson, stateOf } from "../../src/state/index.js";
import { openStore } from "../../src/store/index.js";
import { copyDatabase } from "../../src/transfer/index.js";
import { verifyStore } from "../../src/verify/index.js";
import { rowsOf } from "../engines/files/changed-rows.js";
import { type Server, serve } from "../engines/files/http/serve.mjs";
import { about, expected, manifest, rows as stateRows } from "../state/one-row.js";
import { type FixtureRow, fixturePath, fixtureRows, temporaryFolder } from "../support/fixtures.js";
import { listOf } from "../support/lists.js";

const name = "core-1.0/every-kind";
const folder = fixturePath(name, "db");
const others = fixtureRows(name) as readonly FixtureRow[];
const total = JSON.parse(readFileSync(fixturePath(name, "about.json"), "utf8")).rows as number;

const schema: Schema = core10;

/** Every row as it was given to RocksDB: `column key` to value. */
const given = new Map([
  ...others.map(({ column, key, value }) => [`${column} ${key}`, value] as const),
  ...stateRows.map(({ column, key, value }) => [`${column} ${toHex(key)}`, toHex(value)] as const),
]);

let server: Server;
beforeAll(async () => {
  server = await serve(folder);
});
afterAll(() => server?.close());

describe.each(["a folder", "a web server"])("from %s", (from) => {
  const location = () => (from === "a folder" ? folder : server.url("plain"));

  it("it is detected as core-1.0, with every row that was given to RocksDB", async () => {
    await using store = await openStore(location());
    expect(store.schema).toBe(schema);
    expect(store.detection).toMatchObject({ newer: undefined });
    for (const { column, unreadable, unknown } of store.detection?.evidence ?? [])
      expect([column, unreadable, unknown]).toEqual([column, 0, 0]);
    expect(given.size).toBe(total);
    expect(await rowsOf(store.raw)).toEqual(given);
  });

  it("its state is shown as it was written, under the root hash that the generator computed", async () => {
    await using store = await openStore(location());
    const state = await stateOf(store, about.context, { manifest });
    const { json, problems } = await stateJson(state);
    expect(problems).toEqual([]);
    expect(json.state).toEqual(expected);
    expect((await entityDetails(state, fromHex(about.context)))?.fullHash).toBe(about.rootHash);
  });
});

describe("its rows", () => {
  it("are of every kind, each in a form that decodes and encodes to the same bytes", () => {
    const kinds = new Set(["ContextState", "ContextPrivateState"]);
    for (const { column, kind, key, value } of others) {
      const row = schema.identify(column, fromHex(key));
      if (row === undefined) throw new Error(`no kind has the key ${key} of ${column}`);
      expect([key, row.kind]).toEqual([key, kind]);
      const codec = row.valueAt(row.key.view(fromHex(key)));
      const encoded = toHex(codec.encode(codec.decode(fromHex(value))));
      // A key of a group may lack numbers that a node then adds.
      if (kind !== "GroupKeyEntry") expect([key, encoded]).toEqual([key, value]);
      kinds.add(kind as string);
    }
    expect([...kinds].sort()).toEqual(schema.rows.map(({ kind }) => kind).sort());
    expect(schema.rows.filter(({ column }) => column === "Group")).toHaveLength(55);
  });

  it("are in tables of LZ4, and of ZSTD with a dictionary at the bottom", async () => {
    const tables = await readStoredTables(folder);
    expect(new Set(tables.map(({ column }) => column))).toEqual(new Set(schema.columns));
    for (const { file, level, compression } of tables)
      expect([file, compression]).toEqual([file, [level === 0 ? "LZ4" : "ZSTD"]]);
    expect(tables.some(({ dictionaryBytes }) => dictionaryBytes === 16_384)).toBe(true);
  });

  it("are copied without a difference into a database that can be written", async () => {
    using to = temporaryFolder();
    const path = join(to.path, "copy");
    await copyDatabase(folder, path);
    await using store = await openStore(path);
    expect(await rowsOf(store.raw)).toEqual(given);
  });
});

describe("verification", () => {
  it("finds errors only in rows that were drawn apart from the others", async () => {
    await using store = await openStore(folder);
    const found = await listOf(verifyStore(store));
    expect(found.filter(({ rule }) => rule === "row-known")).toEqual([]);
    // The actions within the vectors of deltas are random bytes.
    const undecoded = found.filter(({ rule }) => rule === "row-decodes");
    expect(undecoded.map(({ kind }) => kind)).toEqual(new Array(16).fill("ContextDagDelta"));
    const ofContext = found.filter(({ key }) => key?.startsWith(about.context));
    const ofState = ofContext.filter(({ column }) => column === "State");
    expect(ofState.map(({ rule, severity }) => `${rule} ${severity}`)).toEqual(
      new Array(14).fill("state-rows info"),
    );
    // The rows lack the context's application, the group that tells how its id was made, and deltas.
    expect(
      ofContext
        .filter(({ column }) => column !== "State")
        .map(({ rule, severity }) => `${rule} ${severity}`)
        .sort(),
    ).toEqual(["context-application warning", "context-id info", "state-from-deltas info"]);
  });
});
