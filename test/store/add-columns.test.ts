/** The option `addColumns`: a new version of a program's own schema has more column families than its database. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { str } from "../../src/codec/index.js";
import { openMemoryEngine, openRocksEngine } from "../../src/engines/index.js";
import { keyParts, u64be } from "../../src/keys/index.js";
import { core011, defineSchema, row } from "../../src/schemas/index.js";
import { openStore, storeOn } from "../../src/store/index.js";
import { cleanUpAfterEach, fixture, temporaryCopy, temporaryFolder } from "../engines/temporary.js";
import { listOf } from "../support/lists.js";

cleanUpAfterEach();

class Note extends keyParts("Note", "Notes", 0x01, u64be("number")) {}
class Label extends keyParts("Label", "Labels", 0x01, u64be("number")) {}
const first = defineSchema("notes-1", [row(Note, str)]);
const second = defineSchema("notes-2", [row(Note, str), row(Label, str)]);

it.each([undefined, new Uint8Array(32).fill(0x5f)])(
  "adds column families and keeps all rows (master key: %s)",
  async (masterKey) => {
    const path = join(temporaryFolder(), "db");
    {
      await using store = await openStore(path, { schema: first, create: true, masterKey });
      await store.table(Note).put({ number: 1n }, "Paris");
    }
    {
      await using store = await openStore(path, {
        schema: second,
        writable: true,
        addColumns: true,
        masterKey,
      });
      await store
        .batch()
        .put(new Note({ number: 2n }), "Rome")
        .put(new Label({ number: 1n }), "city")
        .write();
      expect(store.raw.columns).toEqual(["default", "Notes", "Labels"]);
    }
    if (masterKey === undefined) {
      await using rocks = await openRocksEngine(path, { writable: true });
      expect(rocks.columns).toEqual(["default", "Notes", "Labels"]);
      expect(await rocks.get("Labels", new Label({ number: 1n }).bytes)).toEqual(str.encode("city"));
      await rocks.write([
        { type: "put", column: "Labels", key: new Label({ number: 2n }).bytes, value: str.encode("town") },
      ]);
    }
    await using store = await openStore(path, {
      schema: second,
      writable: true,
      addColumns: true,
      masterKey,
    });
    const texts = async (table: AsyncIterable<{ readonly value: string | undefined }>) => {
      return (await listOf(table)).map(({ value }) => value);
    };
    expect(await texts(store.table(Note).scan())).toEqual(["Paris", "Rome"]);
    expect(await texts(store.table(Label).scan())).toEqual(
      masterKey === undefined ? ["city", "town"] : ["city"],
    );
  },
);

it("adds to a database that RocksDB made", async () => {
  const path = join(temporaryFolder(), "db");
  {
    await using rocks = await openRocksEngine(path, { create: true, columns: ["Notes"] });
    await rocks.write([
      { type: "put", column: "Notes", key: new Note({ number: 1n }).bytes, value: str.encode("Paris") },
    ]);
  }
  {
    await using store = await openStore(path, { schema: second, writable: true, addColumns: true });
    expect(await store.table(Note).get({ number: 1n })).toBe("Paris");
    await store.table(Label).put({ number: 1n }, "city");
  }
  await using rocks = await openRocksEngine(path);
  expect(await rocks.get("Labels", new Label({ number: 1n }).bytes)).toEqual(str.encode("city"));
  expect(await rocks.get("Notes", new Note({ number: 1n }).bytes)).toEqual(str.encode("Paris"));
});

it("is named by the refusal of a row whose column family is missing", async () => {
  const path = join(temporaryFolder(), "db");
  await (await openStore(path, { schema: first, create: true })).close();
  await using store = await openStore(path, { schema: second, writable: true });
  const label = new Label({ number: 1n });
  const refusal = {
    code: "UNKNOWN_COLUMN_FAMILY",
    message: expect.stringMatching(/no column family "Labels"; .*open it with addColumns: true$/),
  };
  await expect(store.put(label, "city")).rejects.toMatchObject(refusal);
  expect(() => store.batch().put(label, "city")).toThrow(expect.objectContaining(refusal));
  expect(() => store.overlay().put(label, "city")).toThrow(expect.objectContaining(refusal));
});

it("refuses the database of a node, and leaves it as it is", async () => {
  const path = temporaryCopy(fixture("core-0.11/node-b"));
  const before = await columnsOf(path);
  await expect(openStore(path, { schema: second, writable: true, addColumns: true })).rejects.toThrow(
    "the column families Notes, Labels cannot be added: the database belongs to a node",
  );
  expect(await columnsOf(path)).toEqual(before);
});

it("needs a schema, writing, and an engine that can", async () => {
  const path = join(temporaryFolder(), "db");
  await (await openStore(path, { schema: first, create: true })).close();
  const needs = "addColumns needs a schema, and is for writing";
  await expect(openStore(path, { schema: second, addColumns: true })).rejects.toThrow(needs);
  await expect(openStore(path, { writable: true, addColumns: true })).rejects.toThrow(needs);
  const engine = openMemoryEngine({ columns: first.columns });
  await expect(storeOn(engine, { schema: second, addColumns: true })).rejects.toThrow(
    "the engine memory does not add any",
  );
});

async function columnsOf(path: string): Promise<readonly string[]> {
  await using store = await openStore(path, { schema: core011 });
  return store.raw.columns;
}

it("creates a database if it is missing, and opens one that is there", async () => {
  const path = join(temporaryFolder(), "db");
  for (const schema of [first, second]) {
    await using store = await openStore(path, { schema, create: "if missing", addColumns: true });
    await store.put(new Note({ number: 1n }), schema.name);
    expect(store.raw.columns).toEqual(["default", ...schema.columns]);
  }
  await expect(openStore(path, { schema: first, create: true })).rejects.toThrow("already holds a database");
  await expect(openStore(path, { create: "if missing" } as never)).rejects.toThrow("needs a schema");
});

it("refuses to write plain rows beside encrypted ones of one's own", async () => {
  const path = join(temporaryFolder(), "db");
  {
    const masterKey = new Uint8Array(32).fill(0x5f);
    await using store = await openStore(path, { schema: first, create: true, masterKey });
    for (let number = 0n; number < 10n; number++) await store.put(new Note({ number }), "Paris");
  }
  for (const addColumns of [false, true])
    await expect(openStore(path, { schema: second, writable: true, addColumns })).rejects.toMatchObject({
      code: "DATABASE_ENCRYPTED",
    });
});

it("does not make a database of one's own that of a node", async () => {
  const path = join(temporaryFolder(), "db");
  await (await openStore(path, { schema: first, create: true })).close();
  await expect(openStore(path, { schema: core011, writable: true, addColumns: true })).rejects.toThrow(
    "cannot be added: a node refuses the column families Notes",
  );
  await (await openStore(path, { schema: second, writable: true, addColumns: true })).close();
});
