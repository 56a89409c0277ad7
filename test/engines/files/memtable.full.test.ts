/** The sorted content of write-ahead logs, compared with a map. */
import { describe, expect, it } from "vitest";
import { toHex } from "../../../src/bytes/hex.js";
import { compareBytes } from "../../../src/bytes/order.js";
import { MemtableIterator } from "../../../src/engines/files/read/block-iterator.js";
import { type Memtable, MemtableBuilder } from "../../../src/engines/files/read/memtable.js";
import { EntryType } from "../../../src/lsm/format/internal-key.js";
import { Random } from "./history.js";

interface Entry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly sequence: number;
  readonly type: number;
}

/** Makers of keys, which differ in shared bytes and in length. */
const keys: Readonly<Record<string, (random: Random, at: number) => Uint8Array>> = {
  "random, of 64 bytes": (random) => random.bytes(64),
  "few, often overridden": (random) => Uint8Array.of(1, 2, random.below(200)),
  "of any length, one the beginning of another": (random) =>
    new Uint8Array(random.below(12)).fill(random.below(2)),
  "with zeros at the end": (random) =>
    new Uint8Array([...random.bytes(1), ...new Uint8Array(random.below(6))]),
  "with a long common prefix": (random) =>
    new Uint8Array([
      ...new Uint8Array(100).fill(9),
      random.below(3),
      ...new Uint8Array(30),
      ...random.bytes(2),
    ]),
  ascending: (_, at) => Uint8Array.of(at >>> 16, at >>> 8, at),
  "in eight runs, one after another": (_, at) => Uint8Array.of((at >>> 12) * 37, at >>> 8, at),
  "in eight runs that take turns": (_, at) => Uint8Array.of(at >>> 9, at >>> 1, at >>> 12, at),
  "in two runs that take too many turns": (_, at) => Uint8Array.of(at >>> 7, at << 1, at >>> 14),
  "in runs whose keys come again": (_, at) => Uint8Array.of((at % 2990) >>> 8, at % 2990),
  "in too many runs": (_, at) => Uint8Array.of(at % 100, at >>> 8, at),
  "the same": () => Uint8Array.of(1, 2, 3, 4),
};

async function filled(
  keyOf: (random: Random, at: number) => Uint8Array,
  count: number,
  dropAt: number,
): Promise<{ readonly memtable: Memtable; readonly model: readonly Entry[] }> {
  const random = new Random(11);
  const builder = new MemtableBuilder();
  const newest = new Map<string, Entry>();
  for (let at = 0; at < count; at++) {
    const key = keyOf(random, at);
    const type = random.below(5) === 0 ? EntryType.Deletion : EntryType.Value;
    const value = type === EntryType.Value ? random.bytes(random.below(90)) : new Uint8Array(0);
    // A sequence number that takes more than four bytes.
    const sequence = 2 ** 40 + at;
    const bytes = new Uint8Array([0, ...key, 0, 0, ...value]);
    builder.add(type, sequence, bytes, 1, 1 + key.length, 3 + key.length, bytes.length);
    bytes.fill(0xee); // overwrites the memory that was passed
    newest.set(toHex(key), { key, value, sequence, type });
    if (at === dropAt) await builder.drop();
  }
  const model = [...newest.values()].sort((a, b) => compareBytes(a.key, b.key));
  return { memtable: await builder.build(), model };
}

function read(memtable: Memtable, reverse: boolean, keysOnly = false): Entry[] {
  const feed = new MemtableIterator(memtable, { gte: undefined, lt: undefined, reverse }, keysOnly);
  const found: Entry[] = [];
  for (let block = feed.next(); block !== undefined; block = feed.next()) {
    const part = Array.from({ length: block.count }, (_, at) => ({
      key: block.keys.subarray(block.keyStarts[at], block.keyEnds[at]),
      value: block.values.subarray(block.valueStarts[at], block.valueEnds[at]),
      sequence: block.sequences[at] as number,
      type: block.types[at] as number,
    }));
    found.push(...(reverse ? part.reverse() : part));
  }
  return found;
}

describe("a memtable", () => {
  for (const [what, keyOf] of Object.entries(keys)) {
    it(`has the newest entry of each key, in order: keys ${what}`, async () => {
      for (const [count, dropAt] of [
        [0, 0],
        [1, 0],
        [3000, 1500],
        [3000, -1], // nothing is dropped before the end
        [40_000, 39_000],
      ] as const) {
        const { memtable, model } = await filled(keyOf, count, dropAt);
        expect(memtable.changes).toBe(count);
        expect(memtable.count).toBe(model.length);
        const found = read(memtable, false);
        expect(found.findIndex((entry, at) => !isSame(entry, model[at]))).toBe(-1);
        const backward = read(memtable, true).reverse();
        expect(backward.findIndex((entry, at) => !isSame(entry, model[at]))).toBe(-1);
        expect(read(memtable, false, true).every(({ value }) => value.length === 0)).toBe(true);
      }
    });
  }

  it("sorts keys of which each continues the one before, however many", async () => {
    const builder = new MemtableBuilder();
    const count = 5000;
    const bytes = new Uint8Array(5 * count + 1);
    for (let at = count - 1; at >= 0; at--) {
      bytes[5 * at] = 1;
      builder.add(EntryType.Value, at, bytes, 0, 5 * at + 1, 0, 0);
      bytes[5 * at] = 0;
    }
    const memtable = await builder.build();
    expect(memtable.count).toBe(count);
    // More zeros come before fewer: the longest key is the first.
    const lengths = Array.from({ length: count }, (_, at) => memtable.entry(at).key.length);
    expect(lengths).toEqual(Array.from({ length: count }, (_, at) => 5 * (count - 1 - at) + 1));
  });

  it("gives the entries of a range, and finds one of each key", async () => {
    const { memtable, model } = await filled(keys["random, of 64 bytes"] as () => Uint8Array, 3000, 100);
    for (const [at, { key }] of model.entries()) {
      expect(memtable.find(key)).toBe(at);
      expect(memtable.compare(at, key)).toBe(0);
    }
    const [from, to] = [model[700]?.key, model[2900]?.key] as [Uint8Array, Uint8Array];
    for (const reverse of [false, true]) {
      const feed = new MemtableIterator(memtable, { gte: from, lt: to, reverse }, false);
      let count = 0;
      for (let block = feed.next(); block !== undefined; block = feed.next()) count += block.count;
      expect(count).toBe(2200);
    }
  });
});

function isSame(a: Entry, b: Entry | undefined): boolean {
  return (
    b !== undefined &&
    a.sequence === b.sequence &&
    a.type === b.type &&
    compareBytes(a.key, b.key) === 0 &&
    compareBytes(a.value, b.value) === 0
  );
}
