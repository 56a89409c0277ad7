/** Callers may overwrite their bytes as soon as a call is over: no copy that was kept changes. */
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compareBytes, successor } from "../../src/bytes/order.js";
import { Payload } from "../../src/codec/index.js";
import {
  type Engine,
  openFilesEngine,
  openMemoryEngine,
  openRocksEngine,
  type WriteOperation,
} from "../../src/engines/index.js";
import { openLevelEngine } from "../../src/engines/level/index.js";
import { Generic, GroupMember010, GroupOpLog } from "../../src/keys/index.js";
import { SignedGroupOp010 } from "../../src/payloads/index.js";
import { core010, rowToJson, selectRows } from "../../src/schemas/index.js";
import { openStore } from "../../src/store/index.js";
import { temporaryFolder } from "../support/fixtures.js";
import { Hand, kindsOfBytes } from "./kinds.js";

const key = fc.uint8Array({ minLength: 0, maxLength: 6 });
const value = fc.uint8Array({ minLength: 0, maxLength: 40 });
const operation = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant("put" as const), key, value }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("delete" as const), key }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("deleteRange" as const), from: key, to: key }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

let folder: ReturnType<typeof temporaryFolder>;
let made = 0;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder[Symbol.dispose]());

const engines: Readonly<Record<string, () => Promise<Engine>>> = {
  memory: async () => openMemoryEngine({ columns: ["default"] }),
  rocksdb: () => openRocksEngine(join(folder.path, `${made++}`), { create: true, columns: [] }),
  leveldb: () => openLevelEngine(join(folder.path, `${made++}`), { create: true }),
};

/** The rows that operations leave, by the hex of their keys. */
class Model {
  readonly #rows = new Map<string, string>();

  apply(done: Operation): void {
    if (done.type === "put") this.#rows.set(hex(done.key), hex(done.value));
    else if (done.type === "delete") this.#rows.delete(hex(done.key));
    else
      for (const text of [...this.#rows.keys()]) {
        const bytes = Buffer.from(text, "hex");
        if (compareBytes(done.from, bytes) <= 0 && compareBytes(bytes, done.to) < 0) this.#rows.delete(text);
      }
  }

  get rows(): [string, string][] {
    return [...this.#rows].sort(([a], [b]) => compareBytes(Buffer.from(a, "hex"), Buffer.from(b, "hex")));
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

function given(done: Operation, hand: Hand): WriteOperation {
  const column = "default";
  if (done.type === "put") return { ...done, column, key: hand.give(done.key), value: hand.give(done.value) };
  if (done.type === "delete") return { ...done, column, key: hand.give(done.key) };
  return { ...done, column, gte: hand.give(done.from), lt: hand.give(done.to) };
}

async function rowsOf(engine: Engine): Promise<[string, string][]> {
  const rows: [string, string][] = [];
  for await (const row of engine.scan("default")) rows.push([hex(row.key), hex(row.value)]);
  return rows;
}

describe.each(Object.entries(kindsOfBytes))("keys and values in a %s that is used again", (_, make) => {
  it.each(Object.keys(engines))("are stored unchanged by the engine %s", async (name) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(operation, { maxLength: 8 }), { maxLength: 6 }), async (batches) => {
        await using engine = await (engines[name] as () => Promise<Engine>)();
        const model = new Model();
        const hand = new Hand(make);
        for (const batch of batches) {
          await engine.write(batch.map((one) => given(one, hand)));
          hand.spoil();
          for (const one of batch) model.apply(one);
        }
        expect(await rowsOf(engine)).toEqual(model.rows);
        for (const [text, wanted] of model.rows.slice(0, 3)) {
          const bytes = Buffer.from(text, "hex");
          expect(hex((await engine.get("default", hand.give(bytes))) as Uint8Array)).toBe(wanted);
          const [found] = await engine.getMany("default", [hand.give(bytes)]);
          expect(hex(found as Uint8Array)).toBe(wanted);
          const scan = engine.scan("default", { gte: hand.give(bytes) }, { limit: 1 });
          hand.spoil(); // the scan has begun with the call, and reads later
          for await (const row of scan) expect(hex(row.key)).toBe(text);
        }
      }),
      { numRuns: name === "memory" ? 40 : 6 },
    );
  });

  it("are read unchanged by the engine files", async () => {
    const path = join(folder.path, `${made++}`);
    const writer = await openRocksEngine(path, { create: true, columns: [] });
    const rows = Array.from({ length: 30 }, (_, at) => [Uint8Array.of(at, 1), Uint8Array.of(at)] as const);
    await writer.write(rows.map(([key, value]) => ({ type: "put", column: "default", key, value })));
    await writer.close();
    await using engine = await openFilesEngine(path);
    const hand = new Hand(make);
    for (const [key, value] of rows) {
      expect(await engine.get("default", hand.give(key))).toEqual(value);
      const scan = engine.scan("default", { gte: hand.give(key), lt: hand.give(Uint8Array.of(200)) });
      hand.spoil();
      for await (const row of scan) {
        expect(row.key).toEqual(key);
        break;
      }
    }
  });

  describe("are kept by the store", () => {
    const id = (byte: number) => new Uint8Array(32).fill(byte);
    const admin = (hand: Hand, byte: number) =>
      ({ role: "Admin", privateKey: hand.give(id(byte)), senderKey: null }) as const;
    let store: Awaited<ReturnType<typeof open>>;
    const open = () => openStore(openMemoryEngine({ columns: core010.columns }), { schema: core010 });
    const key = (byte: number) => new GroupMember010({ groupId: id(1), identity: id(byte) });

    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    it("in keys, created from parts or from bytes", () => {
      const hand = new Hand(make);
      const parts = new GroupMember010({ groupId: hand.give(id(1)), identity: hand.give(id(2)) });
      const bytes = GroupMember010.fromBytes(hand.give(key(2).bytes));
      const range = GroupMember010.range({ groupId: hand.give(id(1)) });
      const generic = new Generic({ scope: hand.give(id(3).subarray(16)), fragment: hand.give(id(4)) });
      hand.spoil();
      for (const made of [parts, bytes]) expect(made.bytes).toEqual(key(2).bytes);
      expect(range.gte).toEqual(GroupMember010.range({ groupId: id(1) }).gte);
      expect(range.lt).toEqual(GroupMember010.range({ groupId: id(1) }).lt);
      expect(generic.fragment).toEqual(id(4));
      expect(parts.toBytes().fill(0)).not.toEqual(parts.bytes);
    });

    it("in batches and overlays, before they are written", async () => {
      const hand = new Hand(make);
      const batch = store.batch();
      for (let byte = 0; byte < 5; byte++) {
        batch.put(GroupMember010.fromBytes(hand.give(key(byte).bytes)), admin(hand, byte));
        hand.spoil();
      }
      batch.delete(GroupMember010.fromBytes(hand.give(key(3).bytes)));
      hand.spoil();
      await batch.write();
      const overlay = store.overlay();
      overlay.put(GroupMember010.fromBytes(hand.give(key(9).bytes)), admin(hand, 9));
      overlay.delete(GroupMember010.fromBytes(hand.give(key(4).bytes)));
      overlay.deleteRange(GroupMember010.range({ groupId: hand.give(id(1)), identity: hand.give(id(0)) }));
      hand.spoil();
      await overlay.commit();
      const found: string[] = [];
      for await (const { key, value } of store.table(GroupMember010).scan())
        found.push(`${hex(key.identity.subarray(0, 1))} ${hex(value?.privateKey ?? id(0)).slice(0, 2)}`);
      expect(found).toEqual(["01 01", "02 02", "09 09"]);
    });

    it("in payloads that were encoded", async () => {
      const hand = new Hand(make);
      const at = new GroupOpLog({ groupId: id(1), sequence: 1n });
      const batch = store.batch().put(at, new Payload(SignedGroupOp010, hand.give(Uint8Array.of(7, 8))));
      hand.spoil();
      await batch.write();
      expect((await store.get(at))?.bytes).toEqual(Uint8Array.of(7, 8));
    });

    it("in selections of rows", () => {
      const hand = new Hand(make);
      const selected = selectRows({ groupId: hand.give(id(1)) });
      hand.spoil();
      expect(selected.has(core010, "Group", key(2).bytes)).toBe(true);
    });

    it("in the JSON form", () => {
      const hand = new Hand(make);
      const row = { key: hand.give(key(2).bytes), value: hand.give(Uint8Array.of(0, 0, 0)) };
      const json = rowToJson(core010, "Group", row);
      hand.spoil();
      expect(json).toMatchObject({ kind: "GroupMember", key: hex(key(2).bytes), decoded: { role: "Admin" } });
    });
  });
});

it("successor does not modify its prefix", () => {
  const prefix = Buffer.from([1, 2, 255]);
  expect(successor(prefix)).toEqual(Uint8Array.of(1, 3));
  expect([...prefix]).toEqual([1, 2, 255]);
});
