/** Writes a table file. */

import { tableName } from "../../../lsm/catalog/file-names.js";
import { type Checksum, ChecksumType, loadChecksum } from "../../../lsm/format/checksum.js";
import type { NewTable } from "../../../lsm/format/encode-manifest.js";
import { TableEncoder, type TableEntry, type TableForm } from "../../../lsm/format/encode-table.js";
import { comparePositions, EntryType } from "../../../lsm/format/internal-key.js";
import type { WritableFiles } from "../../../lsm/writable-files.js";
import { Pause } from "../../../pause.js";
import type { Memtable } from "../read/memtable.js";
import type { RangeDeletion } from "../read/tombstones.js";
import { NewFile } from "./new-file.js";

/** A table of a run ends when it has so many bytes. */
export const TABLE_BYTES = 64 * 1024 * 1024;

/** A column family. */
export type Column = ConstructorParameters<typeof TableEncoder>[0];

/** The place and the form of new tables. */
export interface TableTarget {
  readonly files: WritableFiles;
  /** The form of new tables of a column family. */
  formOf(column: string): TableForm;
}

/** A table under construction. */
export class TableWriter {
  readonly #number: number;
  readonly #file: NewFile;
  readonly #encoder: TableEncoder;

  private constructor(number: number, file: NewFile, encoder: TableEncoder) {
    this.#number = number;
    this.#file = file;
    this.#encoder = encoder;
  }

  /** @param made receives the name of the file */
  static async create(
    target: TableTarget,
    number: number,
    column: Column,
    made: string[],
  ): Promise<TableWriter> {
    const name = tableName(number);
    const checksum = {
      type: ChecksumType.Xxh3,
      of: await (loadChecksum(ChecksumType.Xxh3) as Promise<Checksum>),
    };
    const file = await NewFile.create(target.files, name);
    made.push(name);
    return new TableWriter(number, file, new TableEncoder(column, target.formOf(column.name), checksum));
  }

  /** The bytes of the table so far. */
  get size(): number {
    return this.#encoder.size;
  }

  /** Adds an entry, in the order of internal keys. Returns a promise only if bytes are written. */
  add(entry: TableEntry): Promise<void> | undefined {
    const bytes = this.#encoder.add(entry);
    return bytes && this.#file.append(bytes);
  }

  /** Writes the entries of a memtable, and finishes the table. */
  async writeAll(memtable: Memtable, level: number): Promise<NewTable> {
    const pause = new Pause();
    try {
      for (const entry of memtable.entries()) {
        const written = this.add(entry);
        if (written !== undefined) await written;
        if (pause.isLong) await pause.ifLong();
      }
    } catch (error) {
      await this.abandon();
      throw error;
    }
    return this.finish(level, memtable.rangeDeletions);
  }

  /** Makes the content of the table durable, but not its name. */
  async finish(level: number, rangeDeletions: readonly RangeDeletion[] = []): Promise<NewTable> {
    try {
      const ranges = rangeDeletions.map(entryOf).sort(comparePositions);
      const pause = new Pause();
      const { bytes, table } = await this.#encoder.finish(ranges, () => pause.ifLong());
      await this.#file.append(bytes);
      await this.#file.finish();
      return { number: this.#number, level, ...table };
    } finally {
      await this.abandon();
    }
  }

  /** Removes the file, unless it is finished. */
  abandon(): Promise<void> {
    return this.#file.abandon();
  }
}

function entryOf({ begin, end, sequence }: RangeDeletion): TableEntry {
  return { key: begin.key, sequence, type: EntryType.RangeDeletion, value: end.key };
}
