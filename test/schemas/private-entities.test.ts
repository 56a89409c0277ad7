/** The private entities of a database, and the shown part of their rows. */
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { type Engine, type EngineReader, openMemoryEngine } from "../../src/engines/index.js";
import {
  core010,
  core011,
  documented,
  findPrivateEntities,
  PrivateEntities,
  rowsToLines,
  rowToJson,
  type Schema,
} from "../../src/schemas/index.js";
import { CanarySearch } from "../support/canaries.js";
import { distinct, fixtureRows } from "../support/fixtures.js";
import { type PrivateCollections, privateCollections } from "../support/private-collections.js";
import { randomNumbers, randomValue } from "../support/random-values.js";
import type { HexRow } from "../support/transfer.js";

function bytesOf(seed: number): (size: number) => Uint8Array {
  const random = randomNumbers(seed);
  return (size) => Uint8Array.from({ length: size }, () => Math.floor(random() * 256));
}

const made = privateCollections(bytesOf(1), bytesOf(2));
const search = new CanarySearch([...made.secret.flatMap(({ canaries }) => canaries), ...made.ids]);

async function engineOf(rows: readonly HexRow[], columns = core010.columns): Promise<Engine> {
  const engine = openMemoryEngine({ columns });
  await engine.write(
    rows.map(({ column, key, value }) => ({ type: "put", column, key: fromHex(key), value: fromHex(value) })),
  );
  return engine;
}

/** The private ids, sorted, of a database of these rows. */
async function found(rows: readonly HexRow[], schema: Schema = core010): Promise<readonly string[]> {
  await using engine = await engineOf(rows);
  const entities = await findPrivateEntities(engine, schema);
  const ids = [...entities.byContext.values()].flatMap((bytes) => toHex(bytes).match(/.{64}/g) ?? []);
  expect(entities.size).toBe(ids.length);
  return ids.sort();
}

function idsOf({ ids }: PrivateCollections): readonly string[] {
  return ids.map(toHex).sort();
}

const all = [...made.secret, ...made.open];

describe("private entities", () => {
  it.each([documented, core010, core011] as readonly Schema[])(
    "are reached by handles: entries, nested collections, removed entries of deltas, read as $name",
    async (schema) => {
      expect(await found(all, schema)).toEqual(idsOf(made));
    },
  );

  it("do not exist without private state, or in another context", async () => {
    expect(await found(all.filter(({ column }) => column !== "PrivateState"))).toEqual([]);
    const other = privateCollections(bytesOf(3), bytesOf(4));
    const elsewhere = other.secret.filter(({ column }) => column !== "PrivateState");
    expect(await found([...all, ...elsewhere, ...other.open])).toEqual(idsOf(made));
    expect(await found([...all, ...other.secret, ...other.open])).toEqual(
      [...idsOf(made), ...idsOf(other)].sort(),
    );
  });

  it("are found in deltas alone, as in a deleted context", async () => {
    const left = all.filter(({ column }) => column !== "State");
    const [map, entry, , removed] = made.ids.map(toHex);
    expect(await found(left)).toEqual([map, entry, removed].sort());
  });

  it("are found through rows that are too long or short", async () => {
    for (const damaged of [(value: string) => `${value}00`, (value: string) => value.slice(0, -2)]) {
      const rows = all.map((row) => (row.column === "State" ? { ...row, value: damaged(row.value) } : row));
      expect(await found(rows)).toEqual(idsOf(made));
    }
  });

  it("are not the root, the application's state and its direct collections", async () => {
    const named = [made.contextId, new Uint8Array(32).fill(0x76)].map(toHex);
    const handles = { ...(made.secret[0] as HexRow), value: named.join("") };
    expect(await found([handles, ...all.slice(1)])).toEqual([]);
  });

  it("take one read of PrivateState if it is empty, and no pass over State if no handle refers to it", async () => {
    const looked: string[] = [];
    const counted = async (rows: readonly HexRow[], schema: Schema): Promise<number> => {
      await using engine = await engineOf(rows, [...schema.columns, "Mystery"]);
      const { columns } = engine;
      looked.length = 0;
      const reader: EngineReader = {
        columns,
        get: (column, key) => engine.get(column, key),
        getMany: (column, keys) => engine.getMany(column, keys),
        scan: (column, range, options) => {
          looked.push(column);
          return engine.scan(column, range, options);
        },
      };
      return (await findPrivateEntities(reader, schema)).size;
    };
    const shared = fixtureRows("core-0.10/node-b").filter(({ kind }) => kind !== null);
    expect(await counted(shared, core010)).toBe(0);
    expect(looked).toEqual(["PrivateState"]);
    const apart = fixtureRows("core-0.11/node-a").filter(({ kind }) => kind !== null);
    expect(apart.some(({ column }) => column === "PrivateState")).toBe(true);
    expect(await counted(apart, core011)).toBe(0);
    expect(new Set(looked)).toEqual(new Set(["PrivateState"]));
    expect(await counted(all, core011)).toBe(made.ids.length);
    expect(looked).toEqual(expect.arrayContaining(["State", "Delta"]));
  });

  it("of the fixtures are those of the one context with a private map", async () => {
    const sizes: Record<string, number> = {};
    for (const { name, schema } of distinct) {
      await using engine = await engineOf(
        fixtureRows(name),
        [...schema.columns, "Mystery", ...new Set(fixtureRows(name).map(({ column }) => column))].filter(
          (column, at, columns) => columns.indexOf(column) === at,
        ),
      );
      const { size } = await findPrivateEntities(engine, schema);
      if (size > 0) sizes[name] = size;
    }
    expect(sizes).toEqual({ "core-0.10/node-a": 2 });
  });
});

describe("a row with private entities", () => {
  const context = toHex(made.contextId);
  const privateEntities = new PrivateEntities(new Map([[context, fromHex(made.ids.map(toHex).join(""))]]));

  it.each(made.secret.map((row, at) => ({ ...row, at })))("$at, $kind, does not show them", (row) => {
    const bytes = { key: fromHex(row.key), value: fromHex(row.value) };
    for (const base58 of [false, true]) {
      const options = { privateEntities, base58 };
      const form = rowToJson(core010, row.column, bytes, options);
      const text = JSON.stringify(form);
      expect(form).not.toHaveProperty("value");
      expect([...search.find(text)]).toEqual([]);
      const lines = rowsToLines(core010, row.column, [bytes], options);
      expect(Buffer.from(lines.text).toString()).toBe(`${text}\n`);
      expect(lines.withoutValue).toBe(1);
      if (!row.partly && row.column !== "PrivateState") expect(form.decoded).toBe("redacted");
      const revealed = rowToJson(core010, row.column, bytes, { ...options, revealSecrets: true });
      expect(revealed.value).toBe(row.value);
    }
  });

  it("shows the rest of the row", () => {
    const shown = made.secret
      .filter(({ partly }) => partly)
      .map(({ column, key, value }) => {
        const row = { key: fromHex(key), value: fromHex(value) };
        return [
          rowToJson(core010, column, row, { privateEntities }).decoded,
          rowToJson(core010, column, row).decoded,
        ];
      }) as [Record<string, unknown[]>, Record<string, unknown[]>][];
    const [[root, plainRoot], [delta, plainDelta], [second, plainSecond]] = shown as [
      (typeof shown)[0],
      (typeof shown)[0],
      (typeof shown)[0],
    ];
    const r = "redacted";
    expect(root).toEqual({ ...plainRoot, children: [...(plainRoot.children ?? []).slice(0, 2), r, r] });
    expect(delta).toEqual({ ...plainDelta, actions: [r, plainDelta.actions?.[1], r], events: r });
    expect(second).toEqual({ ...plainSecond, actions: [plainSecond.actions?.[0], r] });
  });

  it("of another context is shown", () => {
    const row = made.secret[2] as HexRow;
    const key = fromHex(row.key);
    key[0] = (key[0] as number) ^ 1;
    const form = rowToJson(core010, row.column, { key, value: fromHex(row.value) }, { privateEntities });
    expect(form.value).toBe(row.value);
  });

  it("is redacted in the operations of a newer node too", () => {
    const row = core011.row("ScopeUnifiedOp");
    const codec = core011.type("Op");
    const put = { kind: "Put", entity: made.ids[1], value: bytesOf(9)(60) };
    const value = codec.encode({ ...(randomValue(codec, randomNumbers(5)) as object), payload: put });
    const key = new Uint8Array([...made.contextId, ...bytesOf(10)(32)]);
    const form = rowToJson(core011 as Schema, row.column, { key, value }, { privateEntities });
    expect(form.decoded).toMatchObject({ payload: "redacted", parents: expect.anything() as unknown });
    expect(form).not.toHaveProperty("value");
  });

  it("that does not decode is reported without numbers", () => {
    const row = made.secret.find(({ kind }) => kind === "ContextDagDelta") as HexRow;
    const value = fromHex(row.value);
    value.set([0x15, 0xcd, 0x5b, 0x07], 32);
    const form = rowToJson(core010, row.column, { key: fromHex(row.key), value }, { privateEntities });
    expect(form.error).toMatch(/redacted/);
    expect(form.error).not.toMatch(/123,?456,?789/);
  });
});
