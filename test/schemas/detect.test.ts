/** The revision that a database shows, family by family. */
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { type Engine, openMemoryEngine } from "../../src/engines/index.js";
import * as keys from "../../src/keys/index.js";
import { core010, core011, detectRevision, documented, type Schema } from "../../src/schemas/index.js";
import { otherLayouts } from "../../src/schemas/other-layouts.js";
import { stateOf } from "../../src/state/index.js";
import { openStore } from "../../src/store/index.js";
import { distinct, type FixtureRow, fixtureRows } from "../support/fixtures.js";
import { samplePath, samples } from "../support/samples.mjs";

const id = (byte: number) => new Uint8Array(32).fill(byte);

async function engineWith(
  columns: readonly string[],
  rows: readonly Pick<FixtureRow, "column" | "key" | "value">[],
): Promise<Engine> {
  const engine = openMemoryEngine({ columns });
  await engine.write(
    rows.map(({ column, key, value }) => ({ type: "put", column, key: fromHex(key), value: fromHex(value) })),
  );
  return engine;
}

const rowsOf = (name: string, ...kinds: readonly (string | null)[]) =>
  fixtureRows(name).filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));

describe("a database of one revision", () => {
  it.each(distinct.map(({ name, schema }) => [name, schema] as [string, Schema]))(
    "%s",
    async (name, schema) => {
      await using engine = await engineWith(schema.columns, fixtureRows(name));
      for (const thorough of [false, true]) {
        const detection = await detectRevision(engine, { thorough });
        expect(detection.revision?.name).toBe(schema.name);
        expect(detection.evidence.every(({ unreadable }) => unreadable === 0)).toBe(true);
      }
    },
  );

  it.each(distinct.map(({ name, schema }) => [name, schema] as [string, Schema]))(
    "%s, without the column families that have no rows",
    async (name, schema) => {
      const rows = fixtureRows(name);
      await using engine = await engineWith([...new Set(rows.map(({ column }) => column))], rows);
      for (const thorough of [false, true])
        expect((await detectRevision(engine, { thorough })).revision?.name).toBe(schema.name);
    },
  );

  it("is detected from a single row if that row suffices", async () => {
    const cases: [string, string, string][] = [
      ["documented/tables", "GroupMember", "documented"],
      ["documented/tables", "NamespaceIdentity", "documented"],
      ["documented/tables", "GroupParentRef", "documented"],
      ["core-0.10/tables", "NamespaceIdentity", "core-0.10"],
      ["core-0.10/tables", "GroupParentRef", "core-0.10"],
      ["core-0.10/tables", "ContextIdentity", "core-0.10"],
      ["core-0.10/tables", "ContextDagDelta", "core-0.10"],
    ];
    for (const [name, kind, revision] of cases) {
      await using engine = await engineWith(core010.columns, rowsOf(name, kind).slice(0, 1));
      expect((await detectRevision(engine)).revision?.name, kind).toBe(revision);
    }
  });

  it("of 22 column families is core-0.11, without rows and with such as all revisions have", async () => {
    for (const rows of [[], rowsOf("core-0.11/node-a", "ContextConfig")]) {
      await using engine = await engineWith(core011.columns, rows);
      expect(await detectRevision(engine)).toMatchObject({
        revision: { name: "core-0.11" },
        reason: expect.stringContaining("column families"),
      });
    }
  });
});

describe("no answer", () => {
  it.each([
    ["without rows", []],
    ["with rows that two revisions read differently", rowsOf("core-0.10/tables", "GroupOpLog")],
    ["with rows of no known kind", [{ column: "Meta", key: "736368656d61", value: "07" }]],
  ])("is ambiguous %s", async (_, rows) => {
    await using engine = await engineWith(core010.columns, rows);
    expect(await detectRevision(engine)).toMatchObject({ revision: undefined, code: "REVISION_AMBIGUOUS" });
    await expect(openStore(engine)).rejects.toThrow(expect.objectContaining({ code: "REVISION_AMBIGUOUS" }));
  });

  it("is ambiguous without a column family of a node", async () => {
    await using engine = await engineWith([], [{ column: "default", key: "61", value: "62" }]);
    expect(await detectRevision(engine)).toMatchObject({ revision: undefined, code: "REVISION_AMBIGUOUS" });
  });

  it("is refused for values that look encrypted at rest", async () => {
    const rows = fixtureRows("core-0.10/tables").map((row) => ({
      ...row,
      value: `01${toHex(id(7)).slice(0, 24)}${row.value}${toHex(id(9)).slice(0, 32)}`,
    }));
    await using engine = await engineWith(core010.columns, rows);
    expect(await detectRevision(engine)).toMatchObject({
      code: "DATABASE_ENCRYPTED",
      reason: expect.stringContaining("encrypted at rest"),
    });
  });

  it("is unknown for rows of no known revision, and known layouts are named", async () => {
    const layout = otherLayouts.find(({ column }) => column === "Delta");
    const value = layout?.codec.encode({
      deltaId: id(1),
      parents: [id(2)],
      actions: new Uint8Array(),
      hlc: { time: 1n, id: 1n },
      applied: true,
      expectedRootHash: id(3),
      events: null,
      authorId: id(4),
      governancePositionBlob: null,
      deltaSignature: null,
    }) as Uint8Array;
    const rows = [1, 2, 3].map((byte) => ({
      column: "Delta",
      key: toHex(new keys.ContextDagDelta({ contextId: id(byte), deltaId: id(1) }).bytes),
      value: toHex(value),
    }));
    await using engine = await engineWith(core010.columns, rows);
    expect(await detectRevision(engine)).toMatchObject({
      code: "REVISION_UNKNOWN",
      reason: expect.stringMatching(/3 of 3 examined rows.*3 × delta with author.*0\.11\.0-rc\.24/),
    });
  });
});

describe("a database whose rows several revisions read alike", () => {
  const rows = rowsOf("core-0.10/tables", "ContextConfig", "GroupContextIndex", "GroupOpHead");
  const unknown = { column: "Meta", key: "736368656d61", value: "07" };

  it("opens for reading in the newest of them, and says so", async () => {
    await using engine = await engineWith(core010.columns, [...rows, unknown]);
    const detection = await detectRevision(engine);
    expect(detection).toMatchObject({ revision: { name: "core-0.10" }, assumed: true });
    expect(detection.reason).toBe(
      "no row decides between documented, core-0.10, which read all of them alike: the newest is taken; the keys of 1 are of no known kind",
    );
  });

  it("opens for writing only in a named revision", async () => {
    await using engine = await engineWith(core010.columns, rows);
    await expect(openStore(engine)).rejects.toThrow(/core-0\.10.*; for writing, name the revision/);
    for (const schema of [documented, core010])
      expect((await openStore(engine, { schema })).schema).toBe(schema);
  });

  it("opens in an older revision if one row, far behind the others, fits only that", async () => {
    const both = Array.from({ length: 40 }, (_, index) => `${toHex(id(index + 1))}${toHex(id(7))}`);
    const old = `${toHex(id(200))}${toHex(id(7)).slice(6)}`;
    const state = [...both, old].map((key) => ({ column: "State", key, value: "00" }));
    await using engine = await engineWith(core010.columns, state);
    expect(await detectRevision(engine)).toMatchObject({ revision: { name: "documented" } });
    await using without = await engineWith(core010.columns, state.slice(0, 40));
    expect(await detectRevision(without)).toMatchObject({ revision: { name: "core-0.10" }, assumed: true });
  });
});

describe("the samples of compressed databases", () => {
  it.each(samples)(
    "$name opens as the newest revision that has its keys, for reading",
    async ({ name, rows }) => {
      await using store = await openStore(samplePath(name));
      expect(store.schema.name).toBe("core-0.11");
      expect(store.detection).toMatchObject({ assumed: true });
      const raw = store.schema.columns.filter((column) => store.raw.columns.includes(column));
      let read = 0;
      for (const column of raw)
        for await (const chunk of store.raw.scan(column).chunks()) read += chunk.length;
      expect(read).toBe(rows);
    },
  );
});

describe("a row that does not decode", () => {
  it("does not hide the revision of the others, and is reported", async () => {
    const rows = fixtureRows("core-0.10/tables");
    const damaged = rows.map((row) =>
      row.kind === "GroupMeta" ? { ...row, value: row.value.slice(0, 60) } : row,
    );
    await using engine = await engineWith(core010.columns, damaged);
    const detection = await detectRevision(engine);
    expect(detection.revision?.name).toBe("core-0.10");
    expect(detection.reason).toMatch(/8 rows do not decode/);
  });
});

describe("a database of several revisions", () => {
  const older = rowsOf("core-0.10/tables").filter(({ column }) =>
    ["Delta", "Identity", "Blobs"].includes(column),
  );
  const newer = rowsOf("core-0.11/node-a").filter(
    ({ column }) => !["Delta", "Identity", "Blobs"].includes(column),
  );

  it("opens, each family in the revision that it shows", async () => {
    await using engine = await engineWith(core011.columns, [...older, ...newer]);
    await using store = await openStore(engine);
    expect(store.schema.name).toBe("mixed");
    expect(store.detection?.reason).toMatch(/several revisions.*fit core-0\.10.*fit core-0\.11/);
    const shown = new Map(
      store.detection?.evidence.map(({ column, prefix, shows }) => [`${column} ${prefix}`, shows]),
    );
    expect(shown.get("Delta undefined")).toEqual(["core-0.10"]);
    expect(shown.get("Application undefined")).not.toContain("core-0.10");
    let read = 0;
    for (const { key } of store.schema.rows) {
      for await (const { error } of store.table(key).scan()) {
        expect(error).toBeUndefined();
        read++;
      }
    }
    expect(read).toBe([...older, ...newer].filter(({ kind }) => kind !== null).length);
  });

  it("asks for a revision where only State has rows of several", async () => {
    const [context, ...rows] = fixtureRows("core-0.11/node-a");
    await using engine = await engineWith(core011.columns, [...rows, context as FixtureRow]);
    const key = new Uint8Array(65).fill(3); // as core-1.0 has them
    await engine.write([{ type: "put", column: "State", key, value: key }]);
    await using store = await openStore(engine);
    const id = fromHex((context as FixtureRow).key);
    await expect(stateOf(store, id)).rejects.toThrow("to read those of one, name the revision");
    await using named = await openStore(engine, { schema: core011 });
    expect((await stateOf(named, id)).problems).toEqual([]);
  });

  it("has a kind of two families only where the newer revision has it", async () => {
    const key = (prefix: number) => toHex(Uint8Array.of(prefix, ...id(7)));
    await using engine = await engineWith(documented.columns, [
      { column: "Group", key: key(0x34), value: toHex(id(1)) }, // GroupParentRef of core-0.10
      { column: "Group", key: key(0x36), value: toHex(id(2)) }, // and of the document
    ]);
    const { revision } = await detectRevision(engine);
    expect(revision?.name).toBe("mixed");
    const kinds = revision?.rows.filter(({ kind }) => kind === "GroupParentRef");
    expect(kinds?.map(({ key }) => key.PREFIX)).toEqual([0x34]);
  });

  it("is distinguished from a named single revision", async () => {
    await using engine = await engineWith(core011.columns, [...older, ...newer]);
    await using store = await openStore(engine, { schema: core010 });
    expect(store.schema).toBe(core010);
    expect(store.detection).toBeUndefined();
  });

  it("is written in one of them, and in no other", async () => {
    await using engine = await engineWith(core011.columns, [...older, ...newer]);
    for (const schema of [core010, core011])
      expect((await openStore(engine, { schema })).schema).toBe(schema);
    await expect(openStore(engine, { schema: documented })).rejects.toThrow(
      "the database is not of documented, but mixed: it contains rows of several revisions",
    );
  });
});
