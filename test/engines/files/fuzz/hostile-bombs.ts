/** Tables whose few bytes expand to many. */

import { internalKey, u32 } from "./byte-writer.js";
import { type Hostile, withTable } from "./databases.js";
import { block, dataBlock, type Entry, handle, type Place, table } from "./tables.js";

/** The number of repetitions. */
const MANY = 5_000;

/** A sequence number of bytes that are all 1. */
const ONES = 0x01010101010101n;

const good = { contents: dataBlock(["key100", "key101"], 5) };

/** Tables that would take much memory or time. */
export function* bombs(): Generator<Hostile> {
  const same = (key: (at: number) => string) => (found: readonly Place[]) => {
    const { offset, size } = found[0] as Place;
    return block(Array.from({ length: MANY }, (_, at) => ({ key: key(at), value: handle(offset, size) })));
  };
  const number = (at: number) => `key${100_000 + at}`;
  const twoLevels = { "rocksdb.block.based.table.index.type": u32(2) };
  const low = { contents: dataBlock(["a"], 5) };
  const empty = { contents: block([]) };
  yield withTable("an index with one block many times", table({ data: [good], index: same(number) }));
  yield withTable("one block under one key", table({ data: [good], index: same(() => "key200") }));
  yield withTable("a block before all keys many times", table({ data: [low], index: same(number) }));
  yield withTable("a block before all, under one key", table({ data: [low], index: same(() => "zzzz") }));
  for (const [name, first] of [
    ["empty", empty],
    ["low", { contents: block([{ key: "a", value: handle(0, 3) }]) }],
    ["right", { contents: block([{ key: "key200", value: handle(0, 3) }]) }],
  ] as const) {
    for (const key of [number, () => "key200", () => "zzzz"]) {
      const parts = { data: [first], index: same(key), properties: twoLevels };
      yield withTable(`many ${name} partitions up to ${key(0)}`, table(parts));
    }
  }
  yield withTable("no blocks", table({ data: [], index: () => block([]) }));
  yield withTable("no partitions", table({ data: [], index: () => block([]), properties: twoLevels }));
  yield withTable("no entries", table({ data: [empty] }));
  for (const size of [1_000, 30_000]) {
    const growing = growingKeys(size, (key) => internalKey(key, ONES, 1));
    const plain = growingKeys(size, (key) => key);
    yield withTable(`data: keys that grow, ${size}`, table({ data: [{ contents: growing }] }));
    yield withTable(
      `range deletions: keys that grow, ${size}`,
      table({ data: [good], rangeDeletions: growing }),
    );
    yield withTable(`index: keys that grow, ${size}`, table({ data: [good], index: () => plain }));
    yield withTable(`properties: keys that grow, ${size}`, table({ data: [good], propertiesBlock: plain }));
    yield withTable(`metaindex: keys that grow, ${size}`, table({ data: [good], metaindexBlock: plain }));
  }
  const deletions = Array.from({ length: 150_000 }, (_, at) => ({
    key: internalKey(`d${at}`, at + 1, 15),
    value: `d${at}x`,
  }));
  yield withTable("many range deletions", table({ data: [good], rangeDeletions: block(deletions) }));
}

/** An index of growing keys: each of `size` keys adds a byte to the one before, a 1, so that it ends in a type. */
function growingKeys(size: number, finish: (key: string) => Uint8Array | string): Uint8Array {
  const first = finish("k".repeat(size));
  const length = first.length;
  const more = Array.from(
    { length: size },
    (_, at): Entry => ({ key: "\x01", value: handle(0, 3), shared: length + at }),
  );
  return block([{ key: first, value: handle(0, 3) }, ...more]);
}
