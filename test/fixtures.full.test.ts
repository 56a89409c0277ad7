/** Databases that Rust wrote: read, encoded anew and written anew, byte for byte. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../src/bytes/hex.js";
import type { Json } from "../src/codec/index.js";
import { folderEngines } from "../src/engines/index.js";
import { partsToJson, rowToJson } from "../src/schemas/row-json.js";
import { openStore } from "../src/store/index.js";
import { appsDatabase, appsMoments } from "./support/apps.js";
import {
  databases,
  distinct,
  fixtureLines,
  fixturePath,
  fixtureRows,
  temporaryFolder,
} from "./support/fixtures.js";

it("every database has the rows of one of those whose rows are all different", () => {
  const rows = (name: string): string => fixtureLines(name).join("\n");
  const different = new Set(distinct.map(({ name }) => rows(name)));
  expect(different.size).toBe(distinct.length);
  for (const { name } of databases) expect(different.has(rows(name)), name).toBe(true);
});

describe.each(databases)("$name", ({ name, schema, rows: total }) => {
  const expected = fixtureLines(name);
  const rows = fixtureRows(name);
  const database = fixturePath(name, "db");

  it("has all its rows", () => {
    expect(rows.length).toBe(total);
  });

  it("opens with the right revision, detected from its rows", async () => {
    await using store = await openStore(database);
    expect(store.schema.name).toBe(schema.name);
    expect(store.detection?.revision?.name).toBe(schema.name);
    expect(store.warnings).toEqual([]);
    expect(store.columns).toEqual([...schema.columns, "default"]);
  });

  it.each(folderEngines)(
    "shows every row as in rows.jsonl, with kind, parts and value: %s",
    async (engine) => {
      await using store = await openStore(database, { engine });
      expect(store.raw.capabilities).toMatchObject({ engine, writable: false });
      const found: string[] = [];
      for (const column of store.columns) {
        for await (const row of store.raw.scan(column)) {
          found.push(JSON.stringify(rowToJson(schema, column, row, { revealSecrets: true })));
        }
      }
      expect(found).toEqual(expected);
    },
  );

  it.each(folderEngines)("returns the same rows by typed scans, forward and backward: %s", async (engine) => {
    await using store = await openStore(database, { schema, engine });
    for (const row of schema.rows) {
      const wanted = rows.filter(({ kind }) => kind === row.kind).map(({ key, value }) => `${key} ${value}`);
      const forward: string[] = [];
      for await (const { key, bytes, error } of store.table(row.key).scan()) {
        expect(error).toBeUndefined();
        forward.push(`${toHex(key.bytes)} ${toHex(bytes)}`);
      }
      expect(forward).toEqual(wanted);
      const backward: string[] = [];
      for await (const key of store.table(row.key).scan({ reverse: true }).keys())
        backward.push(toHex(key.bytes));
      expect(backward).toEqual(wanted.map((line) => line.split(" ")[0]).reverse());
      expect(await store.table(row.key).count()).toBe(wanted.length);
    }
  });

  it("is encoded to the same bytes from its values and from its JSON", () => {
    for (const row of rows) {
      if (row.kind === null || row.parts === null) continue;
      const { key, value } = schema.row(row.kind);
      const bytes = fromHex(row.value);
      const decoded = value.decode(bytes);
      if (!value.canonical(bytes)) {
        // Keys of older nodes lack a number: the codec reads it as 0, and writes it.
        expect([row.kind, bytes.length]).toEqual(["GroupKeyEntry", expect.toBeOneOf([40, 48])]);
        continue;
      }
      expect(toHex(value.encode(decoded))).toBe(row.value);
      expect(toHex(value.encode(value.fromJson(value.toJson(decoded))))).toBe(row.value);
      const read = key.fromBytes(fromHex(row.key));
      const parts = Object.fromEntries(key.PARTS.map((part) => [part.name, (read as never)[part.name]]));
      const built = new (key as unknown as new (parts: object) => typeof read)(parts);
      expect(toHex(built.toBytes())).toBe(row.key);
      expect(partsToJson(key, built)).toEqual(row.parts satisfies { readonly [name: string]: Json });
    }
  });

  it("written to a new database through the store is equal", async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "copy");
    {
      await using store = await openStore(path, { create: true, schema });
      const batch = store.batch();
      for (const row of rows) {
        const { key, value } =
          row.kind === null ? { key: undefined, value: undefined } : schema.row(row.kind);
        if (key === undefined || value === undefined || !value.canonical(fromHex(row.value))) {
          const { column } = row;
          await store.raw.write([{ type: "put", column, key: fromHex(row.key), value: fromHex(row.value) }]);
        } else {
          // The row's own types are known at run time only.
          batch.put(key.fromBytes(fromHex(row.key)) as never, value.decode(fromHex(row.value)) as never);
        }
      }
      await batch.write();
    }
    await using store = await openStore(path);
    const found: string[] = [];
    for (const column of store.columns) {
      for await (const row of store.raw.scan(column)) {
        found.push(JSON.stringify(rowToJson(schema, column, row, { revealSecrets: true })));
      }
    }
    expect(found).toEqual(expected);
  });
});

describe.each(appsMoments)("core-0.11-apps/$name", ({ name, rows: total }) => {
  it.each(folderEngines)(
    "has all its rows, which decode and are encoded to the same bytes: %s",
    async (engine) => {
      using database = appsDatabase(name);
      await using store = await openStore(database.path, { engine });
      expect(store.detection?.revision?.name).toBe("core-0.11");
      expect(store.warnings).toEqual([]);
      let count = 0;
      for (const row of store.schema.rows)
        for await (const { key, value, bytes, error } of store.table(row.key).scan()) {
          count++;
          expect(error).toBeUndefined();
          expect(toHex(row.value.encode(value as never))).toBe(toHex(bytes));
          expect(toHex(key.toBytes())).toBe(toHex(key.bytes));
        }
      expect(count).toBe(total);
      let all = 0;
      for (const column of store.columns) for await (const _row of store.raw.scan(column)) all++;
      expect(all).toBe(total);
    },
  );
});
