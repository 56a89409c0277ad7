/** What is compared: a database that is open, or an export of one. */

import type { Schema } from "../schemas/index.js";
import type { StoreReader } from "../store/index.js";
import { type ExportedRow, type ExportHeader, readExport } from "../transfer/index.js";

/** A row of one side. An export without secrets leaves out values. */
export interface SourceRow {
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}

/** Rows by column family, keys ascending. */
export interface RowSource {
  readonly schema: Schema;
  readonly columns: readonly string[];
  rows(column: string): AsyncIterable<readonly SourceRow[]>;
}

/** The rows of a store, a snapshot or an overlay. */
export function rowsOfStore(store: StoreReader): RowSource {
  return {
    schema: store.schema,
    columns: store.columns,
    rows: (column) => store.raw.scan(column).chunks(),
  };
}

/**
 * The rows of an export. Its column families are best asked for in their order: for an earlier one it is read again.
 *
 * @param open the bytes of the file, unpacked, from the beginning
 * @param schemaOf the schema of the revision that the export names
 */
export async function rowsOfExport(
  open: () => AsyncIterable<Uint8Array>,
  schemaOf: (header: ExportHeader) => Schema,
): Promise<RowSource> {
  const { header } = await readExport(open());
  const schema = schemaOf(header);
  let reading = new ExportRows(open);
  return {
    schema,
    columns: header.columns,
    async *rows(column) {
      if (header.columns.indexOf(column) < reading.at(header)) reading = new ExportRows(open);
      yield* reading.rows(column, header);
    },
  };
}

/** One pass over an export. */
class ExportRows {
  readonly #open: () => AsyncIterable<Uint8Array>;
  #pieces: AsyncGenerator<readonly ExportedRow[], void, undefined> | undefined;
  /** Rows that were read and belong to the column family that comes next. */
  #begun: readonly ExportedRow[] = [];
  #column: string | undefined;

  constructor(open: () => AsyncIterable<Uint8Array>) {
    this.#open = open;
  }

  /** Where in the order of the column families it stands; -1 at the beginning. */
  at({ columns }: ExportHeader): number {
    return this.#column === undefined ? -1 : columns.indexOf(this.#column);
  }

  async *rows(column: string, { columns }: ExportHeader): AsyncGenerator<readonly SourceRow[]> {
    const wanted = columns.indexOf(column);
    this.#pieces ??= (await readExport(this.#open())).rows();
    this.#column = column;
    for (;;) {
      const later = this.#begun.findIndex((row) => columns.indexOf(row.column) > wanted);
      const rows = (later < 0 ? this.#begun : this.#begun.slice(0, later)).filter(
        (row) => row.column === column,
      );
      this.#begun = later < 0 ? [] : this.#begun.slice(later);
      if (rows.length > 0) yield rows;
      if (later >= 0) return;
      const next = await this.#pieces.next();
      if (next.done === true) return;
      this.#begun = next.value;
    }
  }
}
