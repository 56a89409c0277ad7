/** Uncommitted changes: seen through the overlay as if they were written, and by nobody else until they are. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Payload } from "../../src/codec/index.js";
import { openMemoryEngine } from "../../src/engines/index.js";
import { Alias, GroupAlias, GroupMember010, GroupOpLog, noScope } from "../../src/keys/index.js";
import { SignedGroupOp010 } from "../../src/payloads/index.js";
import { type Core010, core010 } from "../../src/schemas/index.js";
import { openStore, type StoreReader } from "../../src/store/index.js";
import { thrown } from "../support/rejection.js";
import { turnsDuring } from "../support/turns.js";

const open = () => openStore(openMemoryEngine({ columns: core010.columns }), { schema: core010 });
const groupId = new Uint8Array(32).fill(1);
const key = (sequence: number) => new GroupOpLog({ groupId, sequence: BigInt(sequence) });
const value = (byte: number) => new Payload(SignedGroupOp010, Uint8Array.of(byte));

/** The rows as `key=value`. */
async function contents(reader: StoreReader<Core010>, options = {}): Promise<string> {
  const rows = await reader.table(GroupOpLog).scan(options).toArray();
  return rows.map((row) => `${row.key.sequence}=${row.value?.bytes[0]}`).join(" ");
}

describe("an overlay", () => {
  it("with many changes is read in order, and leaves the event loop its turns", async () => {
    await using store = await open();
    await store.put(key(5), value(5));
    const overlay = store.overlay();
    for (let at = 20_000; at > 0; at--) if (at !== 5) overlay.put(key(at), value(1));
    let found = "";
    const read = async () => {
      found = await contents(overlay);
    };
    expect(await turnsDuring(read)).toBeGreaterThan(5);
    const all = Array.from({ length: 20_000 }, (_, at) => (at === 4 ? "5=5" : `${at + 1}=1`));
    expect(found).toBe(all.join(" "));
  });

  it("shows its changes to itself only, until it commits them as one batch", async () => {
    await using store = await open();
    await store.batch().put(key(1), value(1)).put(key(2), value(2)).put(key(4), value(4)).write();
    const overlay = store.overlay();
    overlay.put(key(3), value(3));
    overlay.put(key(2), value(20));
    overlay.delete(key(1));
    overlay.put(new GroupAlias({ groupId }), "draft");
    expect(await contents(overlay)).toBe("2=20 3=3 4=4");
    expect(await contents(overlay, { reverse: true, limit: 2 })).toBe("4=4 3=3");
    expect(await overlay.getMany([key(1), key(2), key(4)])).toEqual([undefined, value(20), value(4)]);
    expect(await overlay.has(key(1))).toBe(false);
    expect((await overlay.table(GroupOpLog).last())?.key.sequence).toBe(4n);
    expect(await overlay.table(GroupOpLog).count({ prefix: { groupId } })).toBe(3);
    expect(await contents(store)).toBe("1=1 2=2 4=4");
    await overlay.commit();
    expect(await contents(store)).toBe("2=20 3=3 4=4");
    expect(await store.get(new GroupAlias({ groupId }))).toBe("draft");
    expect(await contents(overlay)).toBe("2=20 3=3 4=4");
  });

  it("checks values when they are put", async () => {
    await using store = await open();
    const overlay = store.overlay();
    const member = new GroupMember010({ groupId, identity: groupId });
    thrown(() => overlay.put(member, { role: "Admin" } as never), "ENCODE_FAILED");
    expect(await overlay.has(member)).toBe(false);
  });

  it("over a snapshot does not see later writes, and commits to the store", async () => {
    await using store = await open();
    await store.put(key(1), value(1));
    await using snapshot = await store.snapshot();
    const overlay = snapshot.overlay();
    await store.put(key(2), value(2));
    overlay.put(key(3), value(3));
    expect(await contents(overlay)).toBe("1=1 3=3");
    await overlay.commit();
    expect(await contents(store)).toBe("1=1 2=2 3=3");
  });

  it("keeps its changes when a commit fails, and refuses changes during a commit", async () => {
    await using store = await open();
    const overlay = store.overlay();
    overlay.put(key(1), value(1));
    const { raw } = store;
    const write = raw.write.bind(raw);
    raw.write = () => Promise.reject(new Error("disk full"));
    await expect(overlay.commit()).rejects.toThrow("disk full");
    expect(await contents(overlay)).toBe("1=1");
    raw.write = write;
    const committing = overlay.commit();
    expect(() => overlay.put(key(2), value(2))).toThrow(/in progress/);
    await expect(overlay.commit()).rejects.toThrow(/in progress/);
    await committing;
    overlay.put(key(2), value(2));
    await overlay.commit();
    expect(await contents(store)).toBe("1=1 2=2");
  });

  it("refuses a column family that the database lacks at once", async () => {
    const columns = core010.columns.filter((column) => column !== "Alias");
    await using store = await openStore(openMemoryEngine({ columns }), { schema: core010 });
    const alias = new Alias({ aliasKind: 1, scope: noScope, name: "dev" });
    thrown(() => store.overlay().put(alias, groupId), "UNKNOWN_COLUMN_FAMILY");
  });

  it("behaves as a sorted map over any changes, and so does the store after the commit", async () => {
    const at = fc.integer({ min: 0, max: 30 });
    const change = fc.oneof(
      fc.record({ type: fc.constant("put" as const), at, byte: fc.integer({ min: 0, max: 255 }) }),
      fc.record({ type: fc.constant("delete" as const), at }),
      fc.record({ type: fc.constant("clear" as const) }),
    );
    const base = fc.uniqueArray(fc.tuple(at, fc.integer({ min: 0, max: 255 })), { selector: ([one]) => one });
    const property = fc.asyncProperty(
      base,
      fc.array(change, { maxLength: 40 }),
      fc.integer({ min: 0, max: 8 }),
      async (rows, changes, limit) => {
        await using store = await open();
        const batch = store.batch();
        for (const [sequence, byte] of rows) batch.put(key(sequence), value(byte));
        await batch.write();
        const model = new Map(rows);
        const overlay = store.overlay();
        for (const one of changes) {
          if (one.type === "put") {
            overlay.put(key(one.at), value(one.byte));
            model.set(one.at, one.byte);
          } else if (one.type === "delete") {
            overlay.delete(key(one.at));
            model.delete(one.at);
          } else {
            overlay.deleteRange(GroupOpLog.range({ groupId }));
            model.clear();
          }
        }
        const expected = [...model].sort(([a], [b]) => a - b).map(([at, byte]) => `${at}=${byte}`);
        expect(await contents(overlay)).toBe(expected.join(" "));
        const last = expected.toReversed().slice(0, limit);
        expect(await contents(overlay, { reverse: true, limit })).toBe(last.join(" "));
        expect(await contents(overlay, { limit })).toBe(expected.slice(0, limit).join(" "));
        await overlay.commit();
        expect(await contents(store)).toBe(expected.join(" "));
      },
    );
    await fc.assert(property, { numRuns: 150 });
  });
});
