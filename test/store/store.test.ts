/** The store over both engines, as users of the library rely on it. */
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Payload } from "../../src/codec/index.js";
import { openMemoryEngine } from "../../src/engines/index.js";
import * as keys from "../../src/keys/index.js";
import { SignedGroupOp010 } from "../../src/payloads/index.js";
import { type Core010, core010, documented } from "../../src/schemas/index.js";
import { openStore, type Store } from "../../src/store/index.js";
import { temporaryFolder } from "../support/fixtures.js";
import { rejection } from "../support/rejection.js";

type CoreStore = Store<Core010>;

const id = (byte: number, last = byte) => {
  const bytes = new Uint8Array(32).fill(byte);
  bytes[31] = last;
  return bytes;
};
const admin = { role: "Admin", privateKey: null, senderKey: null } as const;
const member = (group: number, who: number) =>
  new keys.GroupMember010({ groupId: id(group), identity: id(who) });
/** The content of the log: bytes that do not decode are kept too. */
const bytes = (byte: number) => new Payload(SignedGroupOp010, Uint8Array.of(byte));
const operation = (group: number, sequence: bigint) => new keys.GroupOpLog({ groupId: id(group), sequence });

describe.each(["memory", "rocksdb"])("a store on %s", (engine) => {
  let folder: ReturnType<typeof temporaryFolder>;
  let store: CoreStore;

  beforeEach(async () => {
    folder = temporaryFolder();
    store =
      engine === "memory"
        ? await openStore(openMemoryEngine({ columns: core010.columns }), { schema: core010 })
        : await openStore(join(folder.path, "db"), { create: true, schema: core010 });
  });
  afterEach(async () => {
    await store.close();
    folder[Symbol.dispose]();
  });

  async function putOperations(count: number): Promise<void> {
    const batch = store.batch();
    for (let at = 0; at < count; at++) batch.put(operation(1, BigInt(at)), bytes(at % 256));
    await batch.write();
  }

  it("returns what was put, and nothing else", async () => {
    await store.put(member(1, 2), admin);
    expect(await store.get(member(1, 2))).toEqual(admin);
    expect(await store.has(member(1, 2))).toBe(true);
    expect(await store.get(member(1, 3))).toBeUndefined();
    expect(await store.has(member(1, 3))).toBe(false);
    await store.delete(member(1, 2));
    expect(await store.get(member(1, 2))).toBeUndefined();
    await store.delete(member(1, 2));
  });

  it("distinguishes an empty value from an absent row", async () => {
    const key = new keys.GroupContextIndex({ groupId: id(1), contextId: id(2) });
    expect(await store.get(key)).toBeUndefined();
    await store.put(key, null);
    expect(await store.get(key)).toBeNull();
  });

  it("returns many keys of several kinds in their order", async () => {
    await store.put(member(1, 2), admin);
    await store.put(new keys.GroupAlias({ groupId: id(1) }), "staging");
    await store.put(new keys.ContextConfig({ contextId: id(9) }), {
      applicationRevision: 1n,
      membersRevision: 2n,
    });
    const found = await store.getMany([
      new keys.ContextConfig({ contextId: id(9) }),
      member(1, 3),
      new keys.GroupAlias({ groupId: id(1) }),
      member(1, 2),
      member(1, 2),
    ]);
    expect(found).toEqual([
      { applicationRevision: 1n, membersRevision: 2n },
      undefined,
      "staging",
      admin,
      admin,
    ]);
    expect(await store.getMany([])).toEqual([]);
  });

  it("scans a group's log in the order of its sequences, from either end", async () => {
    const sequences = [1n, 2n, 255n, 256n, 65_535n, 65_536n, 2n ** 53n, 2n ** 64n - 1n];
    const batch = store.batch();
    for (const sequence of sequences.toReversed())
      batch.put(operation(7, sequence), bytes(Number(sequence % 256n)));
    batch.put(operation(6, 2n ** 64n - 1n), bytes(0)).put(operation(8, 0n), bytes(0));
    batch.put(new keys.GroupOpHead({ groupId: id(7) }), { sequence: 2n ** 64n - 1n, dagHeads: [] });
    await batch.write();
    const table = store.table(keys.GroupOpLog);
    const bounds = { prefix: { groupId: id(7) } };
    const scan = async (options: object) => {
      return (await table.scan({ ...bounds, ...options }).toArray()).map(({ key }) => key.sequence);
    };
    expect(await scan({})).toEqual(sequences);
    expect(await scan({ reverse: true, limit: 3 })).toEqual(sequences.slice(-3).reverse());
    expect((await table.last(bounds))?.key.sequence).toBe(2n ** 64n - 1n);
    expect((await table.first(bounds))?.key.sequence).toBe(1n);
    expect(await table.count(bounds)).toBe(sequences.length);
    expect(await store.table(keys.GroupOpLog).count()).toBe(sequences.length + 2);
    expect(await store.table(keys.GroupOpLog).last({ prefix: { groupId: id(5) } })).toBeUndefined();
  });

  it("yields an undecodable value with its error and bytes, and continues", async () => {
    await store.put(member(1, 1), admin);
    await store.raw.write([
      { type: "put", column: "Group", key: member(1, 2).bytes, value: Uint8Array.of(0, 2) },
    ]);
    await store.put(member(1, 3), admin);
    const rows = await store.table(keys.GroupMember010).scan().toArray();
    const wrong = /^Group GroupMember\(groupId=0101.*GroupMemberValue.privateKey at byte 1: expected 00/;
    expect(
      rows.map(({ key, value, error, bytes }) => [
        key.identity[0],
        value?.role,
        error?.message,
        bytes.length,
      ]),
    ).toEqual([
      [1, "Admin", undefined, 3],
      [2, undefined, expect.stringMatching(wrong), 2],
      [3, "Admin", undefined, 3],
    ]);
    await expect(store.get(member(1, 2))).rejects.toThrow(
      expect.objectContaining({ code: "DECODE_FAILED", path: "privateKey", offset: 1 }),
    );
    await expect(store.getMany([member(1, 1), member(1, 2)])).rejects.toThrow(/privateKey/);
    expect(await store.has(member(1, 2))).toBe(true);
  });

  it("skips rows of other kinds between those of a class, also with limits", async () => {
    const unknown = (at: number) => id(at).subarray(0, 31);
    for (let at = 1; at <= 5; at++) {
      await store.put(new keys.ContextConfig({ contextId: id(at) }), {
        applicationRevision: BigInt(at),
        membersRevision: 0n,
      });
      await store.raw.write([{ type: "put", column: "Config", key: unknown(at), value: id(0) }]);
    }
    const scan = async (options: object) => {
      const rows = await store.table(keys.ContextConfig).scan(options).toArray();
      return rows.map(({ value }) => Number(value?.applicationRevision));
    };
    expect(await scan({})).toEqual([1, 2, 3, 4, 5]);
    expect(await scan({ limit: 3 })).toEqual([1, 2, 3]);
    expect(await scan({ limit: 3, reverse: true })).toEqual([5, 4, 3]);
    expect(await scan({ limit: 0 })).toEqual([]);
    expect(await scan({ limit: 9 })).toEqual([1, 2, 3, 4, 5]);
    expect((await store.table(keys.ContextConfig).first())?.key.contextId[0]).toBe(1);
    expect(await store.table(keys.ContextConfig).count()).toBe(5);
    expect(await store.raw.get("Config", unknown(1))).toEqual(id(0));
  });

  it("returns the same chunks, rows and keys, and ends when the loop is left", async () => {
    await putOperations(3_000);
    let chunked = 0;
    for await (const chunk of store.table(keys.GroupOpLog).scan().chunks()) {
      expect(chunk.length).toBeGreaterThan(0);
      for (const { key, value } of chunk) {
        expect(key.sequence).toBe(BigInt(chunked));
        expect(value?.bytes).toEqual(Uint8Array.of(chunked % 256));
        chunked++;
      }
    }
    expect(chunked).toBe(3_000);
    let rows = 0;
    for await (const key of store.table(keys.GroupOpLog).scan().keys())
      if (key.sequence === BigInt(rows)) rows++;
    expect(rows).toBe(3_000);
    for await (const { key } of store.table(keys.GroupOpLog).scan()) if (key.sequence === 1_500n) break;
    await using scan = store.table(keys.GroupOpLog).scan();
    await using iterator = scan[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toMatchObject({ key: operation(1, 0n) });
    await using chunks = store.table(keys.GroupOpLog).scan().chunks();
    expect((await chunks.next()).value?.length).toBeGreaterThan(0);
    expect(() => scan.chunks()).toThrow(/iterated once/);
  });

  it("yields entries of one class in all scans of a kind, which keeps later scans fast", async () => {
    await store.put(member(1, 2), admin);
    const classes = new Set<unknown>();
    for (let scans = 0; scans < 3; scans++)
      for await (const entry of store.table("GroupMember").scan()) classes.add(Object.getPrototypeOf(entry));
    expect(classes.size).toBe(1);
  });

  it("writes a batch over several families atomically", async () => {
    const context = new keys.ContextMeta({ contextId: id(3) });
    await store
      .batch()
      .put(context, { application: id(1), rootHash: id(2), dagHeads: [id(4)], serviceName: null })
      .put(new keys.ContextGroupRef({ contextId: id(3) }), id(7))
      .put(new keys.GroupContextIndex({ groupId: id(7), contextId: id(3) }), null)
      .delete(new keys.GroupContextIndex({ groupId: id(7), contextId: id(3) }))
      .write();
    expect((await store.get(context))?.dagHeads).toEqual([id(4)]);
    expect(await store.get(new keys.ContextGroupRef({ contextId: id(3) }))).toEqual(id(7));
    expect(await store.has(new keys.GroupContextIndex({ groupId: id(7), contextId: id(3) }))).toBe(false);

    const batch = store.batch().put(member(1, 1), admin);
    expect(() => batch.put(member(1, 2), { ...admin, role: "Owner" } as never)).toThrow(
      /role: expected one of/,
    );
    expect(await store.has(member(1, 1))).toBe(false);
    await batch.write();
    expect(await store.has(member(1, 1))).toBe(true);
    await expect(batch.write()).rejects.toThrow(/already written/);
  });

  it("deletes ranges, bounded and not", async () => {
    const all = [member(1, 1), member(1, 0xff), member(2, 1), member(0xff, 0xff)];
    const batch = store.batch();
    for (const key of all) batch.put(key, admin);
    batch.put(new keys.GroupContextIndex({ groupId: id(1), contextId: id(1) }), null);
    await batch.write();
    await store.table(keys.GroupMember010).deleteRange({ prefix: { groupId: id(1) } });
    expect(await Promise.all(all.map((key) => store.has(key)))).toEqual([false, false, true, true]);
    for (const bounds of [
      {},
      { prefix: undefined, gte: undefined },
      { prefix: {} },
      { gte: {}, lte: undefined },
    ])
      await expect(store.table(keys.GroupMember010).deleteRange(bounds)).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        message: "deleteRange needs a bound; clear() deletes all rows of the table",
      });
    expect(await store.table(keys.GroupMember010).count()).toBe(2);
    await store.table(keys.GroupMember010).clear();
    expect(await store.table(keys.GroupMember010).count()).toBe(0);
    expect(await store.table(keys.GroupContextIndex).count()).toBe(1);

    const config = (contextId: Uint8Array) => new keys.ContextConfig({ contextId });
    const value = { applicationRevision: 0n, membersRevision: 0n };
    for (const contextId of [id(0), id(0xff)]) await store.put(config(contextId), value);
    await store
      .batch()
      .put(config(id(0xff, 0xfe)), value)
      .deleteRange(keys.ContextConfig.range({}))
      .put(config(id(0)), { ...value, applicationRevision: 5n })
      .write();
    expect(await store.table(keys.ContextConfig).count()).toBe(1);
    await store.table(keys.ContextConfig).clear();
    await store.table(keys.ContextConfig).clear();
    expect(await store.table(keys.ContextConfig).count()).toBe(0);
  });

  it("creates snapshots that do not change, over all families", async () => {
    await store.put(member(1, 1), admin);
    await using snapshot = await store.snapshot();
    await store
      .batch()
      .delete(member(1, 1))
      .put(new keys.GroupAlias({ groupId: id(1) }), "later")
      .write();
    expect(await snapshot.get(member(1, 1))).toEqual(admin);
    expect(await snapshot.get(new keys.GroupAlias({ groupId: id(1) }))).toBeUndefined();
    expect(await snapshot.table(keys.GroupMember010).count()).toBe(1);
    expect(await store.table(keys.GroupMember010).count()).toBe(0);
  });

  it("refuses keys and values that are not of the schema", async () => {
    const otherKey = new keys.GroupParentRefDocumented({ childGroupId: id(1) });
    await expect(store.get(otherKey as never)).rejects.toThrow(
      /GroupParentRef of documented was given to a core-0.10 store; import it from "merostore\/core-0.10"/,
    );
    await rejection(store.get({} as never), "INVALID_KEY");
    await rejection(store.get(undefined as never), "INVALID_KEY");
    await rejection(store.put(member(1, 1), { role: "Admin" } as never), "ENCODE_FAILED");
    expect(() => store.table(keys.ContextIdentityDocumented as never).scan()).toThrow(
      /ContextIdentity of documented was given to a core-0.10 store/,
    );
    expect(await store.table(keys.GroupMember010).count()).toBe(0);
  });

  it("refuses changes to a written batch, and writes a failed one again", async () => {
    const batch = store.batch().put(member(1, 1), admin);
    await batch.write();
    expect(() => batch.put(member(1, 2), admin)).toThrow(/already written/);
    expect(() => batch.delete(member(1, 1))).toThrow(/already written/);
    expect(() => batch.deleteRange(keys.GroupMember010.range({}))).toThrow(/already written/);
    const failing = store.batch().put(member(1, 3), admin);
    const { raw } = store;
    const write = raw.write.bind(raw);
    raw.write = () => Promise.reject(new Error("disk full"));
    await expect(failing.write()).rejects.toThrow("disk full");
    raw.write = write;
    await failing.write();
    expect(await store.table(keys.GroupMember010).count()).toBe(2);
  });

  it("ends an active scan when it is closed", async () => {
    await putOperations(2_000);
    const iterator = store.table(keys.GroupOpLog).scan()[Symbol.asyncIterator]();
    await iterator.next();
    await store.close();
    await rejection(iterator.next(), "CLOSED");
  });

  it("throws CLOSED after it was closed", async () => {
    const scan = store.table(keys.GroupMember010).scan();
    await store.close();
    await store.close();
    await rejection(store.get(member(1, 1)), "CLOSED");
    await rejection(store.put(member(1, 1), admin), "CLOSED");
    await rejection(store.snapshot(), "CLOSED");
    await rejection(scan.chunks().next(), "CLOSED");
  });
});

describe("opening", () => {
  it("creates a database with the schema's column families, and detects its revision", async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "new");
    {
      await using store = await openStore(path, { create: true, schema: documented });
      expect(store.columns).toEqual([...documented.columns, "default"]);
      await store.put(new keys.GroupMember010({ groupId: id(1), identity: id(2) }), "ReadOnly");
      await store.put(
        new keys.ContextStateDocumented({ contextId: id(1), stateKey: id(2).subarray(3) }),
        id(4),
      );
    }
    await using store = await openStore(path);
    expect(store.schema.name).toBe("documented");
    await rejection(openStore(path, { create: true, schema: documented }), "DATABASE_EXISTS");
  });

  it("needs a schema to create, and a revision if none is detected", async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "new");
    await expect(openStore(path, { create: true } as never)).rejects.toThrow(/needs a schema/);
    await (await openStore(path, { create: true, schema: core010 })).close();
    await rejection(openStore(path), "REVISION_AMBIGUOUS");
    await using store = await openStore(path, { schema: core010 });
    await rejection(store.put(member(1, 1), admin), "READ_ONLY");
  });

  it("accepts a folder or an engine, and options of a folder only for a folder", async () => {
    await using engine = openMemoryEngine({ columns: core010.columns });
    for (const options of [{ writable: true }, { create: true }, { acceptLogLoss: true }])
      await rejection(openStore(engine, { schema: core010, ...options }), "INVALID_ARGUMENT");
    for (const location of [5, undefined, {}])
      await rejection(openStore(location as never), "INVALID_ARGUMENT");
  });

  it("deletes one key of variable length, and not its extensions", async () => {
    await using store = await openStore(openMemoryEngine({ columns: documented.columns }), {
      schema: documented,
    });
    const key = (...stateKey: number[]) =>
      new keys.ContextStateDocumented({ contextId: id(1), stateKey: Uint8Array.from(stateKey) });
    for (const one of [key(), key(1), key(1, 2), key(2)]) await store.put(one, id(9));
    const table = store.table(keys.ContextStateDocumented);
    const one = { gte: key(1), lte: key(1) };
    expect(await table.count(one)).toBe(1);
    await table.deleteRange(one);
    expect(await store.has(key(1, 2))).toBe(true);
    expect(await store.table(keys.ContextStateDocumented).count()).toBe(3);
  });

  it("reads nothing from a column family that the database lacks, and does not write to it", async () => {
    const columns = core010.columns.filter((column) => column !== "Alias");
    await using store = await openStore(openMemoryEngine({ columns }), { schema: core010 });
    const key = new keys.Alias({ aliasKind: 1, scope: keys.noScope, name: "dev" });
    expect(await store.get(key)).toBeUndefined();
    expect(await store.getMany([key])).toEqual([undefined]);
    expect(await store.has(key)).toBe(false);
    expect(await store.table(keys.Alias).count()).toBe(0);
    await store.table(keys.Alias).clear();
    await store.delete(key);
    await rejection(store.put(key, id(1)), "UNKNOWN_COLUMN_FAMILY");
  });
});
