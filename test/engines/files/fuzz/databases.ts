/** Databases in memory, put together from files that may be hostile. */

import { BLOCK_TRAILER } from "../../../../src/lsm/format/checksum.js";
import { type Bytes, internalKey, join, toBytes, u32 } from "./byte-writer.js";
import { batch, change, edit, log, type NewFile } from "./logs.js";
import { block, dataBlock, handle, table } from "./tables.js";

export type Files = ReadonlyMap<string, Uint8Array>;

export const LOG = "000005.log";
export const MANIFEST = "MANIFEST-000006";
export const FIRST_TABLE = 10;

/** A table and its place. By default its bounds hold all keys of the form `key…`. */
export interface PlacedTable extends Partial<NewFile> {
  readonly bytes: Uint8Array;
  /** 1 for family a, 2 for b. */
  readonly column?: number;
}

export interface DatabaseParts {
  readonly tables?: readonly PlacedTable[];
  /** Write batches. */
  readonly batches?: readonly Uint8Array[];
  /** In place of the log that the batches make. */
  readonly log?: Uint8Array;
  /** More version edits. */
  readonly edits?: readonly Uint8Array[];
  readonly current?: Bytes;
  readonly options?: Bytes;
}

/** The files of a database with the families `default`, a and b. */
export function database({ tables = [], batches = [], edits = [], ...parts }: DatabaseParts): Files {
  const files = new Map<string, Uint8Array>();
  const records = [
    join(edit.comparator("leveldb.BytewiseComparator"), edit.nextFile(100), edit.lastSequence(1000)),
    join(edit.column(1), edit.add("a")),
    join(edit.column(2), edit.add("b")),
  ];
  for (const [at, { bytes, column = 1, level = 0, ...rest }] of tables.entries()) {
    const number = FIRST_TABLE + at;
    files.set(`${String(number).padStart(6, "0")}.sst`, bytes);
    const file = edit.newFile({ level, number, size: bytes.length, ...rest });
    records.push(join(edit.column(column), file));
  }
  files.set("CURRENT", toBytes(parts.current ?? `${MANIFEST}\n`));
  files.set(MANIFEST, log([...records, ...edits]));
  files.set(LOG, parts.log ?? log(batches));
  if (parts.options !== undefined) files.set("OPTIONS-000007", toBytes(parts.options));
  return files;
}

function keys(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, at) => `key${100 + from + at}`);
}

/** Three blocks of ten rows. */
function rows(first: number, sequence: number): { data: { contents: Uint8Array }[] } {
  const data = [0, 10, 20].map((at) => ({
    contents: dataBlock(keys(first + at, first + at + 10), sequence),
  }));
  return { data };
}

/** A little of everything that the formats have: several levels, both families, range deletions, a log. */
export function smallDatabase(): Files {
  const deletions = block([{ key: internalKey("key105", 30, 15), value: "key112" }]);
  const bounds = (first: number, last: number, sequence: number) => ({
    smallest: internalKey(`key${first}`, sequence, 1),
    largest: internalKey(`key${last}`, sequence, 1),
  });
  const second = rows(30, 10);
  return database({
    tables: [
      {
        bytes: table({ ...rows(0, 20), rangeDeletions: deletions }),
        smallestSequence: 20,
        largestSequence: 30,
      },
      { bytes: table({ ...rows(0, 40), version: 5 }), smallestSequence: 40 },
      { bytes: table(rows(0, 10)), level: 1, ...bounds(100, 129, 10) },
      { bytes: table({ ...second, index: indexAfter(30) }), level: 1, ...bounds(130, 159, 10) },
      { bytes: table({ ...rows(0, 5), version: 7 }), column: 2, level: 6 },
      { bytes: twoLevelTable(rows(0, 8).data), column: 2, level: 5 },
    ],
    batches: [
      batch(100, 2, change.put(1, "key103", "new"), change.put(2, "key300", "far")),
      batch(102, 1, change.delete(1, "key121")),
      batch(103, 2, change.deleteRange(2, "key110", "key115"), change.put(2, "key112", "again")),
      batch(105, 1, change.put(1, "key150", "x".repeat(300))),
    ],
    options: '[Version]\n[CFOptions "default"]\n[CFOptions "a"]\n[CFOptions "b"]\n',
  });
}

/** A table whose index names one partition, which names the blocks. */
function twoLevelTable(data: readonly { readonly contents: Uint8Array }[]): Uint8Array {
  let offset = 0;
  const entries = data.map(({ contents: { length } }, at) => {
    const entry = { key: `key${100 + 10 * at + 9}`, value: handle(offset, length) };
    offset += length + BLOCK_TRAILER;
    return entry;
  });
  const partition = { contents: block(entries) };
  return table({
    data: [...data, partition],
    index: () => block([{ key: "key129", value: handle(offset, partition.contents.length) }]),
    properties: { "rocksdb.block.based.table.index.type": u32(2) },
  });
}

/** The index of blocks of ten rows each, from a row on. */
export function indexAfter(first: number) {
  return (places: readonly { readonly offset: number; readonly size: number }[]): Uint8Array =>
    block(
      places.map(({ offset, size }, at) => ({
        key: `key${100 + first + 10 * at + 9}`,
        value: handle(offset, size),
      })),
    );
}

/** A database with something hostile in it, and its name. */
export interface Hostile {
  readonly name: string;
  readonly files: Files;
}

/** A database with one table. */
export function withTable(name: string, bytes: Uint8Array): Hostile {
  return { name, files: database({ tables: [{ bytes }] }) };
}
