/** The metaindex and the properties of a table, and checks for features that only RocksDB can read. */

import { wordAt } from "../../bytes/bytes.js";
import { readEntries } from "./block.js";
import { ByteCursor, MalformedBytes, UnreadableFormat, UnsupportedFormat } from "./byte-cursor.js";
import { type BlockHandle, type Footer, readHandle } from "./footer.js";
import type { IndexFormat } from "./index-block.js";

/** The positions of the blocks of a table other than data blocks. */
export interface Metaindex {
  readonly index: BlockHandle;
  readonly properties: BlockHandle;
  readonly rangeDeletions: BlockHandle | undefined;
  /** The compression dictionary of the data blocks. It is never compressed itself. */
  readonly dictionary: BlockHandle | undefined;
}

export interface TableProperties extends IndexFormat {
  /** True if the index only refers to blocks of the second level. */
  readonly twoLevels: boolean;
  /** Name or list of the used compressions. */
  readonly compression: string;
}

const DICTIONARY = "rocksdb.compression_dict";

const IndexType = { BinarySearch: 0, Hash: 1, TwoLevel: 2, WithFirstKey: 3 } as const;

const decoder = new TextDecoder();

/** @throws MalformedBytes, UnsupportedFormat */
export function readMetaindex(bytes: Uint8Array, footer: Footer): Metaindex {
  const handles = byName(bytes);
  const handle = (name: string): BlockHandle | undefined => {
    const value = handles.get(name);
    return value && readHandle(new ByteCursor(value));
  };
  const index = footer.index ?? handle("rocksdb.index");
  if (index === undefined) throw new MalformedBytes("the metaindex names no index");
  const properties = handle("rocksdb.properties");
  if (properties === undefined) throw new UnsupportedFormat("a table has no properties");
  return {
    ...{ index, properties, rangeDeletions: handle("rocksdb.range_del") },
    dictionary: handle(DICTIONARY),
  };
}

/** Returns the place of the dictionary from the metaindex. @throws MalformedBytes */
export function dictionaryIn(metaindex: Uint8Array): BlockHandle | undefined {
  const value = byName(metaindex).get(DICTIONARY);
  return value && checkDictionary(readHandle(new ByteCursor(value)));
}

/** The maximum size of a dictionary. Writers are configured with some KB. */
const LARGEST_DICTIONARY = 1024 * 1024;

/** @throws UnreadableFormat for a dictionary that is too large */
export function checkDictionary(handle: BlockHandle): BlockHandle {
  if (handle.size <= LARGEST_DICTIONARY) return handle;
  throw new UnreadableFormat(`blocks are compressed with a dictionary of ${handle.size} bytes`);
}

/**
 * @param largestSequence the highest sequence number of the table in the MANIFEST
 * @throws MalformedBytes, UnsupportedFormat
 */
export function readProperties(bytes: Uint8Array, largestSequence: number | undefined): TableProperties {
  const { varint, fixed, text } = propertiesIn(bytes);
  const comparator = text("rocksdb.comparator");
  if (comparator !== "" && comparator !== "leveldb.BytewiseComparator")
    throw new UnreadableFormat(`a table is ordered by ${comparator}, not bytewise`);
  if (varint("rocksdb.merge.operands", 0) > 0) throw new UnreadableFormat("a table has merge operands");
  // The entries of an ingested external file have the sequence number in the MANIFEST instead of their own.
  const globalSequence = fixed("rocksdb.external_sst_file.global_seqno");
  const external = fixed("rocksdb.external_sst_file.version") > 1;
  if (globalSequence !== 0 || (external && largestSequence !== 0))
    throw new UnsupportedFormat("a table has one global sequence number");
  const indexType = fixed("rocksdb.block.based.table.index.type");
  if (indexType === IndexType.WithFirstKey) throw new UnsupportedFormat("an index has first keys");
  if (indexType > IndexType.WithFirstKey)
    throw new UnreadableFormat(`an index has the unknown type ${indexType}`);
  return {
    keyIsUserKey: varint("rocksdb.index.key.is.user.key", 0) === 1,
    deltaEncoded: varint("rocksdb.index.value.is.delta.encoded", 0) === 1,
    twoLevels: indexType === IndexType.TwoLevel,
    compression: text("rocksdb.compression"),
  };
}

/** The creation of a table. Its members together identify the table. */
export interface TableCreation {
  /** The identity of the database that created it; empty if unknown. */
  readonly database: string;
  /** The name of the session that created it; empty if unknown. */
  readonly session: string;
  /** The number of its file at the creation; 0 if unknown. */
  readonly number: number;
}

/** @param bytes the block of properties. @throws MalformedBytes */
export function readCreation(bytes: Uint8Array): TableCreation {
  const { varint, text } = propertiesIn(bytes);
  return {
    database: text("rocksdb.creating.db.identity"),
    session: text("rocksdb.creating.session.identity"),
    number: varint("rocksdb.original.file.number", 0),
  };
}

/**
 * Returns the name or list of the used compressions, the bytes of keys and values, and the bytes of the filter.
 *
 * @throws MalformedBytes
 */
export function readSizes(bytes: Uint8Array): {
  readonly compression: string;
  readonly plainBytes: number;
  readonly filterBytes: number;
} {
  const { varint, text } = propertiesIn(bytes);
  return {
    compression: text("rocksdb.compression"),
    plainBytes: varint("rocksdb.raw.key.size", 0) + varint("rocksdb.raw.value.size", 0),
    filterBytes: varint("rocksdb.filter.size", 0),
  };
}

function byName(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
  return new Map(readEntries(bytes).map(({ key, value }) => [decoder.decode(key), value]));
}

/**
 * Reads the properties in a block by name, as numbers or texts, with defaults for absent ones.
 *
 * @throws MalformedBytes
 */
function propertiesIn(bytes: Uint8Array) {
  const values = byName(bytes);
  return {
    varint<T>(name: string, absent: T): number | T {
      const value = values.get(name);
      return value === undefined ? absent : new ByteCursor(value).varint();
    },
    fixed(name: string): number {
      const value = values.get(name);
      if (value === undefined) return 0;
      if (value.length < 4) throw new MalformedBytes(`the property ${name} is truncated`);
      return wordAt(value, 0);
    },
    text: (name: string): string => decoder.decode(values.get(name)),
  };
}

/** The origin of a table, from its properties. */
export interface TableOrigin {
  /** The name and the id of its column family; undefined if the writer did not know them. */
  readonly column: string | undefined;
  readonly columnId: number | undefined;
  /** The number of puts and deletions in its data blocks. */
  readonly entries: number | undefined;
  readonly rangeDeletions: number | undefined;
  /** The bytes of all data blocks, from the start of the file. */
  readonly dataBytes: number | undefined;
}

/** The family id in tables that belong to no family yet. */
const NO_COLUMN = 2 ** 31 - 1;

/** @param bytes the block of properties. @throws MalformedBytes */
export function readOrigin(bytes: Uint8Array): TableOrigin {
  const { varint, text } = propertiesIn(bytes);
  const columnId = varint("rocksdb.column.family.id", undefined);
  const name = text("rocksdb.column.family.name");
  const all = varint("rocksdb.num.entries", undefined);
  const rangeDeletions = varint("rocksdb.num.range-deletions", undefined);
  return {
    column: name === "" ? undefined : name,
    columnId: columnId !== undefined && columnId < NO_COLUMN ? columnId : undefined,
    entries: all === undefined ? undefined : Math.max(0, all - (rangeDeletions ?? 0)),
    rangeDeletions,
    dataBytes: varint("rocksdb.data.size", undefined),
  };
}
