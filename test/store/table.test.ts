/** Tables: the rows of one kind, by key or parts, within bounds. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ContextStateDocumented,
  GroupContextMemberCap,
  GroupMember010,
  GroupOpLog,
} from "../../src/keys/index.js";
import { core010, documented } from "../../src/schemas/index.js";
import { memoryStore } from "../../src/testing/index.js";

const id = (...first: number[]) => Uint8Array.from({ length: 32 }, (_, at) => first[at] ?? 0);
const admin = { role: "Admin", privateKey: null, senderKey: null } as const;

/** Members 1 to 3 of the groups 1 to 3. */
async function withMembers() {
  const store = memoryStore(core010);
  const members = store.table(GroupMember010);
  for (const group of [1, 2, 3])
    for (const member of [1, 2, 3]) await members.put({ groupId: id(group), identity: id(member) }, admin);
  const namesOf = (keys: readonly GroupMember010[]) =>
    keys.map((key) => `${key.groupId[0]}${key.identity[0]}`);
  return { store, members, namesOf };
}

describe("a table", () => {
  it("reads and writes a row by its key and by its parts", async () => {
    await using store = memoryStore(core010);
    const members = store.table(GroupMember010);
    const parts = { groupId: id(1), identity: id(2) };
    const key = members.key(parts);
    await members.put(parts, admin);
    for (const given of [parts, key]) {
      expect(await members.get(given)).toEqual(admin);
      expect(await members.has(given)).toBe(true);
      expect(await members.getMany([given, { ...parts, groupId: id(9) }])).toEqual([admin, undefined]);
    }
    expect(await store.get(key)).toEqual(admin);
    await members.delete(parts);
    expect(await members.has(key)).toBe(false);
    await members.put(key, admin);
    expect(await store.table("GroupMember").count()).toBe(1);
    await members.delete(key);
    expect(await members.first()).toBeUndefined();
  });

  it("refuses keys, parts and kinds that are not of it", async () => {
    const { store, members } = await withMembers();
    const other = new GroupOpLog({ groupId: id(1), sequence: 1n });
    const loose = members as unknown as { get(of: unknown): Promise<unknown>; scan(of: unknown): unknown };
    await expect(loose.get({ groupId: id(1) })).rejects.toThrow("GroupMember.identity: expected");
    await expect(loose.get(undefined)).rejects.toMatchObject({ code: "INVALID_KEY" });
    expect(() => loose.scan({ gt: other })).toThrow(
      "expected a key of GroupMember as a bound, not GroupOpLog(",
    );
    expect(() => loose.scan({ gt: 3 })).toThrow(
      "gt in the options of scan must be a key, or parts of one by name",
    );
    expect(() => loose.scan({ prefix: { identity: id(1) } })).toThrow("GroupMember");
    expect(() => loose.scan({ from: other })).toThrow('unknown name "from"');
    expect(() => loose.scan({ signal: {} })).toThrow("an AbortSignal");
    const any = store as unknown as { table(of: unknown): unknown };
    expect(() => any.table("GroupMembers")).toThrow(
      'core-0.10 has no kind of row "GroupMembers"; did you mean',
    );
    expect(() => any.table(ContextStateDocumented)).toThrow("ContextState");
    expect(() => any.table(undefined)).toThrow("expected a key class or the name of a kind");
  });

  it("refuses a row of another table by its key", async () => {
    const { members } = await withMembers();
    const other = new GroupOpLog({ groupId: id(1), sequence: 1n }) as never;
    await expect(members.get(other)).rejects.toThrow("expected a key of GroupMember, not GroupOpLog(");
    await expect(members.put(other, admin)).rejects.toMatchObject({ code: "INVALID_KEY" });
  });

  it.each([
    [{}, "11 12 13 21 22 23 31 32 33"],
    [{ prefix: { groupId: id(2) } }, "21 22 23"],
    [{ prefix: { groupId: id(2), identity: id(2) } }, "22"],
    [{ gt: { groupId: id(2) } }, "31 32 33"],
    [{ gte: { groupId: id(2) } }, "21 22 23 31 32 33"],
    [{ lt: { groupId: id(2) } }, "11 12 13"],
    [{ lte: { groupId: id(2) } }, "11 12 13 21 22 23"],
    [{ gt: new GroupMember010({ groupId: id(2), identity: id(2) }) }, "23 31 32 33"],
    [{ gte: new GroupMember010({ groupId: id(2), identity: id(2) }) }, "22 23 31 32 33"],
    [{ lt: { groupId: id(2), identity: id(2) } }, "11 12 13 21"],
    [{ lte: { groupId: id(2), identity: id(2) } }, "11 12 13 21 22"],
    [{ prefix: { groupId: id(2) }, gt: { groupId: id(2), identity: id(1) } }, "22 23"],
    [{ gt: { groupId: id(3) }, lt: { groupId: id(1) } }, ""],
    [{ gt: {} }, ""],
    [{ lt: {} }, ""],
    [{ gte: {}, lte: {} }, "11 12 13 21 22 23 31 32 33"],
  ] as const)("has the rows within %j", async (bounds, expected) => {
    const { members, namesOf } = await withMembers();
    const keys = await members.scan(bounds).keys().toArray();
    expect(namesOf(keys).join(" ")).toBe(expected);
    const entries = await members.scan({ ...bounds, reverse: true }).toArray();
    expect(
      namesOf(entries.map(({ key }) => key))
        .reverse()
        .join(" "),
    ).toBe(expected);
    expect(await members.count(bounds)).toBe(keys.length);
    expect((await members.first(bounds))?.key).toEqual(keys[0]);
    expect((await members.last(bounds))?.key).toEqual(keys.at(-1));
    await (keys.length === 9 ? members.clear() : members.deleteRange(bounds));
    expect(await members.count()).toBe(9 - keys.length);
    expect(await members.count(bounds)).toBe(0);
  });

  it.each([false, true])(
    "is read in pages, each after the last key of the one before (reverse: %s)",
    async (reverse) => {
      const { members, namesOf } = await withMembers();
      const all: GroupMember010[] = [];
      for (let after: GroupMember010 | undefined; ; after = all.at(-1)) {
        const page = await members
          .scan({ after, limit: 2, reverse, gte: { groupId: id(2) } })
          .keys()
          .toArray();
        all.push(...page);
        if (page.length < 2) break;
      }
      const names = namesOf(all).join(" ");
      expect(names).toBe(reverse ? "33 32 31 23 22 21" : "21 22 23 31 32 33");
    },
  );

  it("keys whose leading parts are all ff have nothing after them", async () => {
    await using store = memoryStore(documented);
    const table = store.table(ContextStateDocumented);
    const contextId = new Uint8Array(32).fill(255);
    await table.put({ contextId, stateKey: id(1) }, id(2));
    expect(await table.count({ gt: { contextId } })).toBe(0);
    expect(await table.count({ lte: { contextId } })).toBe(1);
    expect(await table.count({ gte: { contextId } })).toBe(1);
  });

  it("a prefix may end within a part of any length; the same bytes as a bound are one key", async () => {
    await using store = memoryStore(documented);
    const table = store.table(ContextStateDocumented);
    const contextId = id(1);
    for (const stateKey of [[], [1], [1, 2], [1, 255], [2]])
      await table.put({ contextId, stateKey: Uint8Array.from(stateKey) }, id(9));
    const begin = { contextId, stateKey: Uint8Array.of(1) };
    expect(await table.count({ prefix: begin })).toBe(3);
    expect(await table.count({ gte: begin, lte: begin })).toBe(1);
    expect(await table.count({ gt: begin })).toBe(3);
  });

  it("ends with the reason of its signal", async () => {
    const { members } = await withMembers();
    const reason = new Error("enough");
    const signal = AbortSignal.abort(reason);
    await expect(members.scan({ signal }).toArray()).rejects.toBe(reason);
    await expect(members.scan({ signal }).keys().toArray()).rejects.toBe(reason);
    await expect(members.count({ signal })).rejects.toBe(reason);
    await expect(members.first({ signal })).rejects.toBe(reason);
  });

  it("ends between two rows of a chunk when its signal aborts", async () => {
    const { members } = await withMembers();
    const reason = new Error("enough");
    const ending = new AbortController();
    const seen: GroupMember010[] = [];
    const reading = (async () => {
      for await (const key of members.scan({ signal: ending.signal }).keys()) {
        seen.push(key);
        if (seen.length === 2) ending.abort(reason);
      }
    })();
    await expect(reading).rejects.toBe(reason);
    expect(seen).toHaveLength(2);
  });

  it("refuses parts that are undefined: without them a bound would stand for more rows", async () => {
    const { members } = await withMembers();
    const prefix = { groupId: undefined } as never;
    await expect(members.count({ prefix })).rejects.toThrow(
      "GroupMember.groupId: expected a value, found undefined",
    );
    await expect(members.deleteRange({ prefix })).rejects.toMatchObject({ code: "INVALID_KEY" });
    await expect(members.getMany({} as never)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(await members.count()).toBe(9);
  });

  it("can be scanned once: keys() and toArray() count as iterations", async () => {
    const { members } = await withMembers();
    const scan = members.scan();
    await scan.toArray();
    expect(() => scan.keys()).toThrow("a scan can be iterated once");
    const other = members.scan();
    other.keys();
    await expect(other.toArray()).rejects.toThrow("a scan can be iterated once");
  });

  it("of a snapshot and of an overlay shows their rows", async () => {
    const { store, members } = await withMembers();
    await using snapshot = await store.snapshot();
    const overlay = snapshot.overlay();
    await members.delete({ groupId: id(1), identity: id(1) });
    overlay.delete(new GroupMember010({ groupId: id(2), identity: id(1) }));
    expect(await members.count()).toBe(8);
    expect(await snapshot.table(GroupMember010).count()).toBe(9);
    expect(await overlay.table("GroupMember").count({ prefix: { groupId: id(2) } })).toBe(2);
    expect("put" in snapshot.table(GroupMember010)).toBe(false);
  });

  it("with random bounds yields the rows that a filter by comparison yields", async () => {
    const { members } = await withMembers();
    const all = await members.scan().keys().toArray();
    const part = fc.integer({ min: 0, max: 4 }).map((byte) => id(byte));
    const key = fc.record({ groupId: part, identity: part });
    const bounds = fc.record({ gt: key, gte: key, lt: key, lte: key, after: key }, { requiredKeys: [] });
    const order = (a: { groupId: Uint8Array; identity: Uint8Array }, b: typeof a): number =>
      Buffer.compare(Buffer.concat([a.groupId, a.identity]), Buffer.concat([b.groupId, b.identity]));
    await fc.assert(
      fc.asyncProperty(bounds, fc.boolean(), async (given, reverse) => {
        const wanted = all.filter(
          (one) =>
            (given.gt === undefined || order(one, given.gt) > 0) &&
            (given.gte === undefined || order(one, given.gte) >= 0) &&
            (given.lt === undefined || order(one, given.lt) < 0) &&
            (given.lte === undefined || order(one, given.lte) <= 0) &&
            (given.after === undefined || order(one, given.after) * (reverse ? -1 : 1) > 0),
        );
        const found = await members
          .scan({ ...given, reverse })
          .keys()
          .toArray();
        expect(found).toEqual(reverse ? wanted.toReversed() : wanted);
      }),
    );
  });

  it("takes leading parts of several fields", async () => {
    await using store = memoryStore(core010);
    const caps = store.table(GroupContextMemberCap);
    for (const member of [1, 2]) await caps.put({ groupId: id(1), contextId: id(2), member: id(member) }, 1);
    expect(await caps.count({ prefix: { groupId: id(1), contextId: id(2) } })).toBe(2);
    expect(await caps.count({ gt: { groupId: id(1), contextId: id(2) } })).toBe(0);
  });
});
