/** Selected rows: the ranges that are read contain all of them, and little else. */
import { describe, expect, it } from "vitest";
import { copyBytes } from "../../src/bytes/bytes.js";
import { keyAfter, successor } from "../../src/bytes/order.js";
import { Alias, ContextWarrantNonce, GroupAccountNamespace, GroupMember } from "../../src/keys/index.js";
import { core10, core010, core011, type RowSelection, selectRows } from "../../src/schemas/index.js";
import { openStore, rowsInRanges, type Store } from "../../src/store/index.js";
import { databases, fixturePath } from "../support/fixtures.js";

/** All rows of a database, by column family. */
async function rowsOf({ raw, columns }: Store) {
  const read = columns.map(async (column) => [column, await raw.scan(column).toArray()] as const);
  return new Map(await Promise.all(read));
}

/** Ids in keys: the first and the last of each part, by the name of the part. */
function idsIn({ schema }: Store, rows: Awaited<ReturnType<typeof rowsOf>>) {
  const ids = new Map<string, Uint8Array>();
  for (const [column, some] of rows)
    for (const { key } of some) {
      const known = schema.identify(column, key);
      const values = known?.key.view(key) as unknown as Readonly<Record<string, unknown>> | undefined;
      for (const { name } of known?.key.PARTS ?? []) {
        const id = values?.[name];
        if (!(id instanceof Uint8Array) || id.length !== 32) continue;
        if (!ids.has(`${known?.kind}.${name}`)) ids.set(`${known?.kind}.${name}`, copyBytes(id));
        ids.set(`${known?.kind}.${name} last`, copyBytes(id));
      }
    }
  return [...ids.values()];
}

/** A database of each revision. */
const ofEach = [...new Map(databases.map(({ name, schema }) => [schema, name])).values()];

/** The greatest number of selected ids in a database. */
const IDS = 16;

it("takes the zeros in the scope of an alias for no id", () => {
  const has = (selection: RowSelection, scope: Uint8Array) =>
    selectRows(selection).has(core011, "Alias", new Alias({ aliasKind: 1, scope, name: "lobby" }).bytes);
  const [none, one] = [new Uint8Array(32), new Uint8Array(32).fill(1)];
  expect([has({ contextId: none }, none), has({ groupId: none }, none)]).toEqual([false, false]);
  expect([has({ contextId: one }, one), has({ groupId: one }, one)]).toEqual([true, true]);
});

it("has the rows of a device's key, and of the namespace in which an account was made", () => {
  const [id, other] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  const nonce = new ContextWarrantNonce({ contextId: other, deviceKey: id });
  expect(selectRows({ memberIds: [id] }).has(core10, "ContextWarrantNonce", nonce.bytes)).toBe(true);
  const place = new GroupAccountNamespace({ accountNamespaceId: id, namespaceId: other });
  expect(selectRows({ groupId: id }).has(core10, "Group", place.bytes)).toBe(true);
});

describe.each(ofEach)("%s", (name) => {
  it("has each row that names an id in the ranges of that id", async () => {
    await using store = await openStore(fixturePath(name, "db"));
    const rows = await rowsOf(store);
    const all = idsIn(store, rows);
    const step = Math.ceil(all.length / IDS);
    const ids = all.filter((_, at) => at % step === 0);
    expect(ids.length).toBeGreaterThan(8);
    for (const [at, id] of ids.entries()) {
      const other = ids[(at + 1) % ids.length] as Uint8Array;
      const selections: RowSelection[] = [
        { contextId: id },
        { groupId: id },
        { memberIds: [id, other] },
        { groupId: id, memberIds: [other] },
      ];
      for (const selection of selections) {
        const selected = selectRows(selection);
        for (const [column, stored] of rows) {
          const has = (key: Uint8Array) => selected.has(store.schema, column, key);
          const wanted = stored.filter(({ key }) => has(key)).map(({ key }) => copyBytes(key));
          for (const reverse of [false, true]) {
            const read: Uint8Array[] = [];
            const ranges = selected.ranges(column, store.schema);
            for await (const chunk of rowsInRanges(store.raw, column, ranges, { reverse }))
              read.push(...chunk.map(({ key }) => copyBytes(key)));
            const found = read.filter(has);
            expect(found).toEqual(reverse ? wanted.toReversed() : wanted);
          }
        }
      }
    }
  });
});

describe("the ranges of a selection", () => {
  const id = new Uint8Array(32).fill(7);

  it("are the rows of a context where all keys begin with it", () => {
    const selected = selectRows({ contextId: id });
    for (const column of ["Identity", "State", "Delta", "PrivateState"])
      expect(selected.ranges(column, core010, core011)).toEqual([{ gte: id, lt: successor(id) }]);
    for (const column of ["Meta", "Config"])
      expect(selected.ranges(column, core010, core011)).toEqual([{ gte: id, lt: keyAfter(id) }]);
  });

  it("are one for each kind of a group, and whole kinds where the id is further back", () => {
    const ranges = selectRows({ groupId: id }).ranges("Group", core011);
    expect(ranges.length).toBeGreaterThan(20);
    const ofMembers = GroupMember.range({ groupId: id });
    expect(ranges).toContainEqual({ gte: ofMembers.gte, lt: ofMembers.lt });
    const members = selectRows({ memberIds: [id] }).ranges("Group", core011);
    const all = GroupMember.range({});
    expect(
      members.some(({ gte, lt }) => gte && lt && all.gte && all.lt && gte <= all.gte && lt >= all.lt),
    ).toBe(true);
  });

  it("are none in a column family where no key names such an id", () => {
    expect(selectRows({ contextId: id }).ranges("Blobs", core011)).toEqual([]);
    expect(selectRows({ contextId: id }).ranges("of nobody", core011)).toEqual([]);
    expect(selectRows({}).ranges("of nobody", core011)).toEqual([{}]);
  });
});
