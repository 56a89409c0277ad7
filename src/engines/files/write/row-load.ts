/** Writes many rows into new tables, without a log: in one pass if they come in key order. */

import { concat } from "../../../bytes/concat.js";
import { compareBytes } from "../../../bytes/order.js";
import type { RawRow } from "../../../engine/engine.js";
import type { NewTable } from "../../../lsm/format/encode-manifest.js";
import { EntryType } from "../../../lsm/format/internal-key.js";
import type { TableFile } from "../../../lsm/format/manifest.js";
import { Pause } from "../../../pause.js";
import { MemtableBuilder } from "../read/memtable.js";
import { TABLE_BYTES, type TableWriter } from "./table-writer.js";

/** The bytes of unordered rows that are sorted in memory at a time. */
const SORTED_BYTES = 32 * 1024 * 1024;

type Bounds = Pick<TableFile, "smallest" | "largest">;

/**
 * A load of rows. While keys ascend, rows go directly into tables. From the first row out of order on, rows are sorted
 * in memory, some megabytes at a time, and the last row of a key counts.
 */
export class RowLoad {
  /** The sequence number of the newest rows. */
  sequence: number;
  rows = 0;
  readonly #tables: NewTable[] = [];
  readonly #before: readonly Bounds[];
  readonly #deepest: number;
  readonly #create: () => Promise<TableWriter>;
  #table: TableWriter | undefined;
  #last: Uint8Array | undefined;
  /** The rows since the first one that was out of order. */
  #sorted: MemtableBuilder | undefined;
  #sortedBytes = 0;
  readonly #pause = new Pause();

  /**
   * @param sequence the sequence number of the last write
   * @param before the tables of the column family
   * @param deepest the level for tables that overlap no other table
   * @param create begins a table
   */
  constructor(
    sequence: number,
    before: readonly Bounds[],
    deepest: number,
    create: () => Promise<TableWriter>,
  ) {
    this.sequence = sequence + 1;
    this.#before = before;
    this.#deepest = deepest;
    this.#create = create;
  }

  /** Writes all rows. Returns the tables. */
  async write(rows: AsyncIterable<readonly RawRow[]>): Promise<readonly NewTable[]> {
    try {
      for await (const piece of rows) {
        for (const row of piece) {
          if (this.#pause.isLong) await this.#pause.ifLong();
          if (this.#isSorted(row)) continue;
          this.#table ??= await this.#create();
          const written = this.#add(this.#table, row);
          if (written === undefined) continue;
          await written;
          if (this.#table.size >= TABLE_BYTES) await this.#endTable();
        }
        this.rows += piece.length;
        if (this.#sortedBytes >= SORTED_BYTES) await this.#endSorted();
      }
      await this.#endTable();
      await this.#endSorted();
      return this.#tables;
    } finally {
      await this.#table?.abandon();
    }
  }

  /** Keeps a row for sorting. Returns false if the row continues the key order. */
  #isSorted({ key, value }: RawRow): boolean {
    const isAscending =
      this.#sorted === undefined && (this.#last === undefined || compareBytes(this.#last, key) < 0);
    if (isAscending) return false;
    this.#sorted ??= new MemtableBuilder();
    const bytes = concat(key, value);
    this.#sorted.add(EntryType.Value, this.sequence + 1, bytes, 0, key.length, key.length, bytes.length);
    this.#sortedBytes += bytes.length;
    return true;
  }

  #add(table: TableWriter, { key, value }: RawRow): Promise<void> | undefined {
    this.#last = key;
    return table.add({ key, value, sequence: this.sequence, type: EntryType.Value });
  }

  async #endTable(): Promise<void> {
    const table = this.#table;
    if (table === undefined) return;
    this.#tables.push(this.#placed(await table.finish(0)));
    this.#table = undefined;
  }

  async #endSorted(): Promise<void> {
    if (this.#sorted === undefined || this.#sortedBytes === 0) return;
    await this.#endTable();
    const memtable = await this.#sorted.build();
    this.sequence++;
    const table = await this.#create();
    this.#tables.push(this.#placed(await table.writeAll(memtable, 0)));
    this.#sorted = new MemtableBuilder();
    this.#sortedBytes = 0;
  }

  /** Puts a table on the deepest level, or on level 0 if it overlaps other tables. */
  #placed(table: NewTable): NewTable {
    const isApart = [...this.#before, ...this.#tables].every(
      ({ smallest, largest }) =>
        compareBytes(largest.key, table.smallest.key) < 0 ||
        compareBytes(table.largest.key, smallest.key) < 0,
    );
    return { ...table, level: isApart ? this.#deepest : 0 };
  }
}
