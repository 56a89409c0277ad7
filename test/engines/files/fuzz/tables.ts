/** Writes table files: correct ones, and sealed ones that no writer would write. */

import { concatAll } from "../../../../src/bytes/concat.js";
import { contextModifier, loadChecksum } from "../../../../src/lsm/format/checksum.js";
import { type Bytes, internalKey, join, toBytes, u32, u64, varint } from "./byte-writer.js";

/** An entry of a block. Numbers that are left out are the right ones. */
export interface Entry {
  readonly key: Bytes;
  readonly value: Bytes;
  /** The number of bytes that the key shares with the one before, and that `key` lacks. */
  readonly shared?: number | bigint;
  readonly unshared?: number | bigint;
  readonly valueLength?: number | bigint;
}

/** A block whose entries are all restart points, unless they share. */
export function block(
  entries: readonly Entry[],
  restarts?: { offsets?: number[]; count?: number },
): Uint8Array {
  const offsets: number[] = [];
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { key, value, shared = 0, unshared, valueLength } of entries) {
    const [keyBytes, valueBytes] = [toBytes(key), toBytes(value)];
    if (shared === 0) offsets.push(at);
    const entry = join(
      varint(shared),
      varint(unshared ?? keyBytes.length),
      varint(valueLength ?? valueBytes.length),
      keyBytes,
      valueBytes,
    );
    parts.push(entry);
    at += entry.length;
  }
  const { offsets: written = offsets.length === 0 ? [0] : offsets, count } = restarts ?? {};
  return concatAll([...parts, ...written.map(u32), u32(count ?? written.length)]);
}

/** The block of the rows of keys with values, all of one sequence number. */
export function dataBlock(keys: readonly string[], sequence: number): Uint8Array {
  return block(keys.map((key) => ({ key: internalKey(key, sequence, 1), value: `value of ${key}` })));
}

export function handle(offset: number | bigint, size: number | bigint): Uint8Array {
  return join(varint(offset), varint(size));
}

/** A block as it stands in a file, before its checksum. */
export interface Stored {
  readonly contents: Uint8Array;
  readonly compression?: number;
}

/** The place of a block. */
export type Place = { readonly offset: number; readonly size: number };

export interface TableParts {
  readonly version?: 5 | 6 | 7;
  readonly data: readonly Stored[];
  /** Key and value of each entry of the index; by default one for each block of data, after the last key of all. */
  readonly index?: (places: readonly Place[]) => Uint8Array;
  readonly rangeDeletions?: Uint8Array;
  /** Properties that replace usual ones, or come beside them. */
  readonly properties?: Readonly<Record<string, Bytes>>;
  /** Replaces the contents of the block of properties. */
  readonly propertiesBlock?: Uint8Array;
  /** More entries of the metaindex; they replace others of their name. */
  readonly metaindex?: Readonly<Record<string, Uint8Array>>;
  readonly metaindexBlock?: Uint8Array;
}

const BASE = 0x1234_5678;

/** Loads the checksum that `table` needs. */
export const xxh3 = await loadChecksum(4);

/** A whole table file. */
export function table(parts: TableParts): Uint8Array {
  const { version = 6, data } = parts;
  const base = version >= 6 ? BASE : 0;
  const stored: Uint8Array[] = [];
  let at = 0;
  const put = ({ contents, compression = 0 }: Stored): Place => {
    const sealed = new Uint8Array(contents.length + 5);
    sealed.set(contents);
    sealed[contents.length] = compression;
    seal(sealed, at, base);
    stored.push(sealed);
    const place = { offset: at, size: contents.length };
    at += sealed.length;
    return place;
  };
  const places = data.map(put);
  const index = put({ contents: (parts.index ?? plainIndex)(places) });
  const properties = put({
    contents:
      parts.propertiesBlock ??
      named({
        "rocksdb.block.based.table.index.type": u32(0),
        "rocksdb.comparator": "leveldb.BytewiseComparator",
        "rocksdb.compression": "NoCompression",
        "rocksdb.index.key.is.user.key": varint(1),
        "rocksdb.index.value.is.delta.encoded": varint(0),
        ...parts.properties,
      }),
  });
  const deletions = parts.rangeDeletions && put({ contents: parts.rangeDeletions });
  const place = ({ offset, size }: Place) => handle(offset, size);
  const metaindex = put({
    contents:
      parts.metaindexBlock ??
      named({
        "rocksdb.index": place(index),
        "rocksdb.properties": place(properties),
        ...(deletions && { "rocksdb.range_del": place(deletions) }),
        ...parts.metaindex,
      }),
  });
  stored.push(footer(version, at, metaindex, index));
  return concatAll(stored);
}

function footer(version: number, at: number, metaindex: Place, index: Place): Uint8Array {
  const bytes = new Uint8Array(53);
  bytes[0] = 4;
  if (version < 6) {
    const { offset, size } = metaindex;
    bytes.set(join(handle(offset, size), handle(index.offset, index.size)), 1);
  } else bytes.set(join(u32(0x007a003e), u32(0), u32(BASE), u32(metaindex.size)), 1);
  bytes.set(join(u32(version), u64(0x88e241b785f4cff7n)), 41);
  sealFooter(bytes, at);
  return bytes;
}

/** Writes the checksum of a footer that stands at `offset`. */
export function sealFooter(bytes: Uint8Array, offset: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  if (view.getUint32(41, true) < 6) return;
  view.setUint32(5, 0, true);
  view.setUint32(5, (checksum(bytes) + contextModifier(view.getUint32(9, true), offset)) >>> 0, true);
}

/** Writes the checksum of a block with its trailer, which stands at `offset`. */
export function seal(sealed: Uint8Array, offset: number, base: number): void {
  const end = sealed.length - 4;
  const sum = (checksum(sealed.subarray(0, end)) + contextModifier(base, offset)) >>> 0;
  new DataView(sealed.buffer, sealed.byteOffset).setUint32(end, sum, true);
}

function checksum(bytes: Uint8Array): number {
  return (xxh3 as NonNullable<typeof xxh3>)(bytes, 0, bytes.length);
}

/** An index of keys of the form k, k + 1: block number n has keys below `10n + 10`. */
function plainIndex(places: readonly Place[]): Uint8Array {
  return block(
    places.map(({ offset, size }, at) => ({ key: `key${100 + 10 * at + 9}`, value: handle(offset, size) })),
  );
}

/** A block of names and values, in order. */
export function named(values: Readonly<Record<string, Bytes>>): Uint8Array {
  const entries = Object.entries(values).map(([key, value]) => ({ key, value }));
  return block(entries.sort((a, b) => (a.key < b.key ? -1 : 1)));
}
