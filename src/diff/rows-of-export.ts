/** An export as one side of a comparison. */

import { invalidArgument } from "../errors.js";
import {
  exploreEntities,
  keepsPrivateApart,
  PrivateEntities,
  type RowSelection,
  Schema,
} from "../schemas/index.js";
import {
  type ExportedRow,
  type ExportReading,
  type ExportSource,
  readExport,
  schemaOfExport,
  selectedIn,
} from "../transfer/index.js";
import type { RowSource, SourceRow } from "./row-source.js";

/**
 * Returns the rows of an export. Request its column families in their order: for an earlier one the export is read
 * again.
 *
 * @param open opens the file from the beginning and returns its uncompressed bytes
 * @param schema the revision of the rows; the one that the export names by default
 * @throws MerostoreError `INVALID_ARGUMENT`; `EXPORT_INVALID`, also while rows are read
 */
export async function rowsOfExport(open: ExportSource, schema?: Schema): Promise<RowSource> {
  if (typeof open !== "function" || (schema !== undefined && !(schema instanceof Schema)))
    throw invalidArgument("rowsOfExport takes a function that opens the export, and optionally a Schema");
  const reading = await readExport(open());
  try {
    return new ExportRows(reading, schema ?? schemaOfExport(reading.header), open);
  } catch (error) {
    await reading.close();
    throw error;
  }
}

class ExportRows implements RowSource {
  readonly schema: Schema;
  readonly columns: readonly string[];
  readonly leftOut: readonly string[];
  readonly selection: RowSelection | undefined;
  readonly #open: ExportSource;
  #reading: ExportReading;
  #pieces: AsyncGenerator<readonly ExportedRow[], void, undefined>;
  /** Rows that were read and belong to the next column family. */
  #begun: readonly ExportedRow[] = [];
  /** The index of the column family that was requested last. */
  #at = -1;

  constructor(reading: ExportReading, schema: Schema, open: ExportSource) {
    this.schema = schema;
    const { columns, selection } = reading.header;
    this.columns = columns;
    this.leftOut =
      selection?.columns === undefined ? [] : columns.filter((name) => !selection.columns?.includes(name));
    this.selection = selectedIn(reading.header);
    this.#open = open;
    this.#reading = reading;
    this.#pieces = reading.rows();
  }

  async *rows(column: string): AsyncGenerator<readonly SourceRow[], void, undefined> {
    const wanted = this.columns.indexOf(column);
    if (wanted <= this.#at) await this.#readAgain();
    this.#at = wanted;
    for (;;) {
      const later = this.#begun.findIndex((row) => this.columns.indexOf(row.column) > wanted);
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

  /** An export without secrets has neither private data nor the values of the rows that it refers to. */
  async privateEntities(): Promise<PrivateEntities> {
    const { redacted, selection } = this.#reading.header;
    if (redacted) return PrivateEntities.none;
    const lacksHandles = selection?.columns?.includes("PrivateState") === false;
    if (lacksHandles && !keepsPrivateApart(this.schema)) return PrivateEntities.unknown;
    const again = new ExportRows(await readExport(this.#open()), this.schema, this.#open);
    try {
      return new PrivateEntities(await exploreEntities((column) => again.rows(column)));
    } finally {
      await again.close();
    }
  }

  /** Reads to the end, because a truncated export is invalid. */
  async finish(): Promise<void> {
    for await (const _ of this.#pieces);
  }

  async close(): Promise<void> {
    await this.#reading.close();
  }

  async #readAgain(): Promise<void> {
    await this.close();
    this.#reading = await readExport(this.#open());
    this.#pieces = this.#reading.rows();
    this.#begun = [];
  }
}
