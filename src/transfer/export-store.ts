/** Writing a database out as text that holds all of it. */

import { createHash } from "node:crypto";
import { toHex } from "../bytes/hex.js";
import { unknownColumn } from "../engine/arguments.js";
import { nameOfSchema, type RowSelection, rowFilter, rowToJson } from "../schemas/index.js";
import type { StoreReader } from "../store/index.js";
import { type ExportHeader, type ExportSelection, type ExportTrailer, FORM_VERSION } from "./form.js";

/** What of a database is exported, and how. Without options: all of it, without secrets. */
export interface ExportOptions extends RowSelection {
  /** Only these column families. */
  readonly columns?: readonly string[] | undefined;
  /** Write everything, private keys and private state included: what a whole database is imported from. */
  readonly revealSecrets?: boolean | undefined;
  /** Called now and then with the number of rows, and the bytes of their keys and values, read so far. */
  readonly onProgress?: ((rows: number, bytes: number) => void) | undefined;
}

/** Characters of a piece, from which on it is given: values may be large. */
const PIECE = 1024 * 1024;

/**
 * The lines of an export, in pieces of whole lines that are written one after another. Memory does not grow with the
 * database. Of a store that is being written, give a snapshot: the export then shows one moment.
 *
 * @throws MerostoreError `UNKNOWN_COLUMN_FAMILY`, `INVALID_ARGUMENT`, and those of reading
 * @example
 * for await (const piece of exportStore(store, { revealSecrets: true })) file.write(piece);
 */
export async function* exportStore(
  store: StoreReader,
  options: ExportOptions = {},
): AsyncGenerator<string, void, undefined> {
  const { schema } = store;
  const columns = columnsOf(store, options);
  const isMeant = rowFilter(options);
  yield `${JSON.stringify(headerOf(store, options))}\n`;
  const hash = createHash("sha256");
  const counts = new Map<string, number>();
  let rows = 0;
  let read = 0;
  let bytes = 0;
  for (const column of columns) {
    let count = 0;
    for await (const chunk of store.raw.scan(column).chunks()) {
      let piece = "";
      for (const row of chunk) {
        bytes += row.key.length + row.value.length;
        if (!isMeant(schema, column, row.key)) continue;
        piece += `${JSON.stringify(rowToJson(schema, column, row, options))}\n`;
        count++;
        if (piece.length < PIECE) continue;
        hash.update(piece);
        yield piece;
        piece = "";
      }
      read += chunk.length;
      options.onProgress?.(read, bytes);
      if (piece === "") continue;
      hash.update(piece);
      yield piece;
    }
    if (count > 0) counts.set(column, count);
    rows += count;
  }
  const trailer: ExportTrailer = { rows, columns: Object.fromEntries(counts), sha256: hash.digest("hex") };
  yield `${JSON.stringify(trailer)}\n`;
}

function headerOf({ schema, columns }: StoreReader, options: ExportOptions): ExportHeader {
  const { columns: only, contextId, groupId } = options;
  const selection: ExportSelection = {
    ...(only && { columns: only }),
    ...(contextId && { context: toHex(contextId) }),
    ...(groupId && { group: toHex(groupId) }),
  };
  return {
    export: "merostore",
    version: FORM_VERSION,
    ...nameOfSchema(schema),
    columns,
    time: new Date().toISOString(),
    redacted: options.revealSecrets !== true,
    ...(Object.keys(selection).length > 0 && { selection }),
  };
}

function columnsOf({ columns: all }: StoreReader, { columns = all }: ExportOptions): readonly string[] {
  for (const column of columns) if (!all.includes(column)) throw unknownColumn(column, all);
  return all.filter((column) => columns.includes(column));
}
