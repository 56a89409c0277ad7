/** Tables that no writer writes: well-sealed, with impossible lengths, places, counts and orders inside. */

import { hostileNumbers, internalKey, join, u32, varint } from "./byte-writer.js";
import { type Hostile, withTable } from "./databases.js";
import { block, dataBlock, type Entry, handle, named, table } from "./tables.js";

const KEYS = ["key100", "key101", "key102", "key112"];
const good = { contents: dataBlock(KEYS, 5) };
/** Entries with impossible lengths, in every kind of block. */
export function* lengths(): Generator<Hostile> {
  const plain = KEYS.map((key): Entry => ({ key: internalKey(key, 5, 1), value: "value" }));
  for (const position of [0, 1, 3]) {
    for (const field of ["shared", "unshared", "valueLength"] as const) {
      for (const other of [0n, 9n]) {
        for (const number of hostileNumbers) {
          const entries = plain.map((entry, at) =>
            at === position ? { ...entry, shared: at === 0 ? 0n : other, [field]: number } : entry,
          );
          const contents = block(entries);
          const name = `${field} ${number} of entry ${position}, sharing ${other}`;
          yield withTable(`data: ${name}`, table({ data: [{ contents }] }));
          yield withTable(`range deletions: ${name}`, table({ data: [good], rangeDeletions: contents }));
          yield withTable(`index: ${name}`, table({ data: [good], index: () => contents }));
          yield withTable(`properties: ${name}`, table({ data: [good], propertiesBlock: contents }));
          yield withTable(`metaindex: ${name}`, table({ data: [good], metaindexBlock: contents }));
        }
      }
    }
  }
}

/** Restart points at impossible places, and impossible numbers of them. */
export function* restartPoints(): Generator<Hostile> {
  const entries = KEYS.map((key) => ({ key: internalKey(key, 5, 1), value: "value" }));
  const numbers = hostileNumbers.filter((number) => number < 2n ** 32n).map(Number);
  for (const number of [...numbers, 3, 5, 2 ** 31 + 1, 2 ** 31 + 4, 2 ** 32 - 2]) {
    const blocks = {
      count: block(entries, { count: number }),
      "an offset": block(entries, { offsets: [0, number, number + 1] }),
      "the first offset": block(entries, { offsets: [number] }),
      "the hash index": join(block(entries), u32(number)),
    };
    for (const [what, contents] of Object.entries(blocks)) {
      yield withTable(`data: ${what} ${number}`, table({ data: [{ contents }] }));
      yield withTable(`index: ${what} ${number}`, table({ data: [good], index: () => contents }));
      yield withTable(`properties: ${what} ${number}`, table({ data: [good], propertiesBlock: contents }));
    }
  }
}

/** Blocks in impossible places. */
export function* places(): Generator<Hostile> {
  const names = ["rocksdb.index", "rocksdb.properties", "rocksdb.range_del"];
  for (const offset of hostileNumbers) {
    for (const size of hostileNumbers) {
      const where = handle(offset, size);
      const name = `a block at ${offset} of ${size} bytes`;
      const index = () => block([{ key: "key200", value: where }]);
      yield withTable(`index: ${name}`, table({ data: [good], index }));
      const metaName = names[Number((offset + size) % 3n)] as string;
      yield withTable(`${metaName}: ${name}`, table({ data: [good], metaindex: { [metaName]: where } }));
      // The size of the second block as a difference.
      const delta = join(
        [varint(0), varint(6), "key120", handle(0, good.contents.length)].reduce<Uint8Array>(
          (before, part) => join(before, part),
          new Uint8Array(0),
        ),
        join(varint(3), varint(3), "130", varint(size)),
        join(varint(3), varint(3), "140", varint(offset)),
        join(u32(0), u32(1)),
      );
      const properties = { "rocksdb.index.value.is.delta.encoded": varint(1) };
      yield withTable(`delta: ${name}`, table({ data: [good], index: () => delta, properties }));
    }
  }
}

/** Properties with other names, types and values. */
export function* properties(): Generator<Hostile> {
  const texts = [
    "",
    "constructor",
    "__proto__",
    "toString",
    "valueOf",
    "ZSTD",
    "Snappy",
    "LZ4",
    "Zlib",
    "BZip2",
  ];
  const lists = [
    "BuiltinV2;",
    "BuiltinV2;07;",
    "BuiltinV2;0102040507;",
    "BuiltinV2;zz;",
    "BuiltinV2;0",
    "Other;07",
    ";",
  ];
  for (const name of [...texts, ...lists]) {
    for (const version of [5, 6, 7] as const) {
      const parts = { version, data: [good], properties: { "rocksdb.compression": name } };
      yield withTable(`compression ${name} in version ${version}`, table(parts));
    }
  }
  const numbers = [
    "rocksdb.index.key.is.user.key",
    "rocksdb.index.value.is.delta.encoded",
    "rocksdb.merge.operands",
    "rocksdb.block.based.table.index.type",
    "rocksdb.external_sst_file.global_seqno",
    "rocksdb.external_sst_file.version",
    "rocksdb.comparator",
  ];
  for (const name of numbers) {
    for (const value of [...hostileNumbers.map(varint), new Uint8Array(0), u32(1), u32(2), u32(3), u32(4)]) {
      yield withTable(`${name} ${value}`, table({ data: [good], properties: { [name]: value } }));
    }
  }
  yield withTable("no properties", table({ data: [good], propertiesBlock: named({}) }));
  yield withTable("an empty metaindex", table({ data: [good], metaindexBlock: named({}) }));
}
