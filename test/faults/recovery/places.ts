/** The places of a database's changes, as bytes of files, for the oracle of recoveries. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { wordAt } from "../../../src/bytes/bytes.js";
import { folderFiles } from "../../../src/disk/folder.js";
import { type RangeDeletion, rangeDeletion, truncated } from "../../../src/engines/files/read/tombstones.js";
import { type Catalog, readCatalog } from "../../../src/lsm/catalog/catalog.js";
import { logName } from "../../../src/lsm/catalog/file-names.js";
import { readEntries } from "../../../src/lsm/format/block.js";
import { MalformedBytes } from "../../../src/lsm/format/byte-cursor.js";
import { BLOCK_TRAILER } from "../../../src/lsm/format/checksum.js";
import type { Decompressors } from "../../../src/lsm/format/compression.js";
import type { BlockHandle } from "../../../src/lsm/format/footer.js";
import { EntryType, parseInternalKey } from "../../../src/lsm/format/internal-key.js";
import { readLog } from "../../../src/lsm/format/log-records.js";
import { readBatch } from "../../../src/lsm/format/write-batch.js";
import { DICTIONARY_MAGIC } from "../../../src/lsm/format/zstd.js";
import { recordEnds } from "../../engines/files/damage/regions.js";
import { type NamedBlock, tableLayout } from "../../engines/files/damage/table-layout.js";

/** Bytes `[start, end)` of a file. */
export interface Place {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** The dictionary that a block is compressed with. */
export interface Dictionary {
  readonly place: Place;
  /** The block that names the place. */
  readonly metaindex: Place;
  /** The block after the dictionary: without the metaindex, a recovery looks for the dictionary before that block. */
  readonly next: Place;
}

/** A put or a deletion. */
export interface Entry {
  readonly place: Place;
  /** Undefined for a block that needs no dictionary. */
  readonly dictionary: Dictionary | undefined;
  readonly column: string;
  readonly key: Uint8Array;
  readonly sequence: number;
  /** Undefined for a deletion. */
  readonly value: Uint8Array | undefined;
  /** True for a change in a log whose rows are in tables: it counts only if the MANIFEST is missing. */
  readonly isObsolete: boolean;
}

/** A deletion of a range. */
export interface Range {
  readonly isObsolete: boolean;
  readonly place: Place;
  readonly column: string;
  readonly deletion: RangeDeletion;
}

/** A database, and the place of its every change. */
export interface Places {
  readonly catalog: Catalog;
  readonly entries: readonly Entry[];
  readonly ranges: readonly Range[];
  /** The blocks of each table. */
  readonly blocks: ReadonlyMap<string, readonly NamedBlock[]>;
  /** The format version of each table. */
  readonly versions: ReadonlyMap<string, number>;
}

/** @param path an undamaged database whose tables have indexes of one level, and trained dictionaries or none */
export async function placesOf(path: string): Promise<Places> {
  const catalog = await readCatalog(folderFiles(path));
  const entries: Entry[] = [];
  const ranges: Range[] = [];
  const blocks = new Map<string, readonly NamedBlock[]>();
  const versions = new Map<string, number>();
  for (const live of catalog.manifest.liveFiles) {
    const { column } = live;
    const file = catalog.tables.get(live.number) as string;
    const bytes = new Uint8Array(readFileSync(join(path, file)));
    const layout = await tableLayout(bytes);
    blocks.set(file, layout.blocks);
    versions.set(file, layout.footer.version);
    const known = dictionaryOf(file, layout.blocks);
    const { dictionary: contents } = layout;
    if (known !== undefined && wordAt(contents ?? bytes, 0) !== DICTIONARY_MAGIC)
      throw new Error(`the dictionary of ${file} is not trained`);
    for (const { name, handle } of layout.blocks) {
      if (name !== "data" && name !== "range_del") continue;
      const place = placeOf(file, handle);
      const type = bytes[handle.offset + handle.size] as number;
      const stored = bytes.subarray(handle.offset, handle.offset + handle.size);
      const needs = type !== 0 && known !== undefined && !canExpand(layout.plain, type, stored);
      const dictionary = needs ? known : undefined;
      const block = type === 0 ? stored : layout.decompressors.expand("data", type, stored);
      for (const { key, value } of readEntries(block)) {
        const { key: user, sequence, type } = parseInternalKey(key);
        if (name === "data")
          entries.push({
            ...{ place, dictionary },
            column,
            key: user,
            sequence,
            value: type === EntryType.Value ? value : undefined,
            isObsolete: false,
          });
        else
          ranges.push({
            isObsolete: false,
            place,
            column,
            deletion: truncated(rangeDeletion(user, value, sequence), live),
          });
      }
    }
  }
  addLogs(path, catalog, entries, ranges);
  return { catalog, entries, ranges, blocks, versions };
}

function placeOf(file: string, { offset, size }: BlockHandle): Place {
  return { file, start: offset, end: offset + size + BLOCK_TRAILER };
}

function dictionaryOf(file: string, blocks: readonly NamedBlock[]): Dictionary | undefined {
  const named = (wanted: string) => blocks.find(({ name }) => name === wanted)?.handle;
  const dictionary = named("compression_dict");
  if (dictionary === undefined) return undefined;
  const place = placeOf(file, dictionary);
  const next = blocks.find(({ handle }) => handle.offset === place.end)?.handle as BlockHandle;
  const metaindex = placeOf(file, named("metaindex") as BlockHandle);
  return { place, metaindex, next: placeOf(file, next) };
}

function canExpand(decompressors: Decompressors, type: number, block: Uint8Array): boolean {
  try {
    decompressors.expand("data", type, block);
    return true;
  } catch (error) {
    if (error instanceof MalformedBytes) return false;
    throw error;
  }
}

function addLogs(path: string, { manifest, logs }: Catalog, entries: Entry[], ranges: Range[]): void {
  const columns = new Map(manifest.columns.map((column) => [column.id, column]));
  for (const number of logs) {
    const file = logName(number);
    const bytes = new Uint8Array(readFileSync(join(path, file)));
    const ends = recordEnds(bytes);
    for (const { offset, payload } of readLog(bytes, number).records) {
      const place = { file, start: offset, end: ends.find((end) => end > offset) as number };
      readBatch(payload, (id, type, sequence, from, keyStart, keyEnd, valueStart, valueEnd) => {
        const family = columns.get(id);
        if (family === undefined) return;
        const isObsolete = number < family.logNumber;
        const column = family.name;
        const key = from.slice(keyStart, keyEnd);
        const value = from.slice(valueStart, valueEnd);
        if (type === EntryType.RangeDeletion)
          ranges.push({ isObsolete, place, column, deletion: rangeDeletion(key, value, sequence) });
        else
          entries.push({
            ...{ isObsolete, place, dictionary: undefined, column, key, sequence },
            value: type === EntryType.Value ? value : undefined,
          });
      });
    }
  }
}
