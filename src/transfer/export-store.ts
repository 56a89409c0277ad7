/** Writing a database out as text that holds all of it. */

import { createHash } from "node:crypto";
import { toHex } from "../bytes/hex.js";
import { toJsonLine } from "../bytes/visible.js";
import { unknownColumn } from "../engine/arguments.js";
import type { RawRow } from "../engine/engine.js";
import {
  findPrivateEntities,
  mayCarryEntities,
  nameOfSchema,
  type RowFilter,
  type RowSelection,
  rowFilter,
} from "../schemas/index.js";
import type { StoreReader } from "../store/index.js";
import { type ExportHeader, type ExportSelection, type ExportTrailer, FORM_VERSION } from "./form.js";
import { Formatter } from "./formatter.js";

/** What of a database is exported, and how. Without options: all of it, without secrets. */
export interface ExportOptions extends RowSelection {
  /** Only these column families. */
  readonly columns?: readonly string[] | undefined;
  /** Write everything, private keys and private state included: what a whole database is imported from. */
  readonly revealSecrets?: boolean | undefined;
  /** Called now and then with the number of rows, and the bytes of their keys and values, read so far. */
  readonly onProgress?: ((rows: number, bytes: number) => void) | undefined;
}

/** Rows of one piece, and bytes of their keys and values, from which on it is given: values may be large. */
const PIECE_ROWS = 256;
const PIECE_BYTES = 256 * 1024;

const encoder = new TextEncoder();

/**
 * The lines of an export, in pieces of UTF-8 that are written one after another, each of whole lines. Memory does not grow with the
 * database. Of a store that is being written, give a snapshot: the export then shows one moment.
 *
 * @throws MerostoreError `UNKNOWN_COLUMN_FAMILY`, `INVALID_ARGUMENT`, and those of reading
 * @example
 * import { open } from "node:fs/promises";
 *
 * const file = await open("backup.ndjson", "wx", 0o600);
 * for await (const piece of exportStore(store, { revealSecrets: true })) await file.appendFile(piece);
 * await file.close();
 */
export async function* exportStore(
  store: StoreReader,
  options: ExportOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  const columns = columnsOf(store, options);
  const isMeant = rowFilter({ contextId: options.contextId, groupId: options.groupId });
  yield encoder.encode(`${toJsonLine(headerOf(store, options))}\n`);
  const hash = createHash("sha256");
  const counts = new Map<string, number>();
  let total = 0;
  const mayHide = options.revealSecrets !== true && columns.some(mayCarryEntities);
  const privateEntities = mayHide ? await findPrivateEntities(store.raw, store.schema) : undefined;
  await using formatter = new Formatter(store.schema, {
    revealSecrets: options.revealSecrets,
    privateEntities,
  });
  // While pieces are being made in other threads, the next rows are read.
  const pending: Promise<Uint8Array>[] = [];
  for await (const { column, rows } of pieces(store, columns, isMeant, options)) {
    counts.set(column, (counts.get(column) ?? 0) + rows.length);
    total += rows.length;
    const formatting = formatter.format(column, rows);
    formatting.catch(() => undefined); // whoever takes it gets the error; nobody may
    pending.push(formatting);
    if (pending.length < formatter.ahead) continue;
    const piece = await (pending.shift() as Promise<Uint8Array>);
    hash.update(piece);
    yield piece;
  }
  for (const formatting of pending) {
    const piece = await formatting;
    hash.update(piece);
    yield piece;
  }
  const sha256 = hash.digest("hex");
  const trailer: ExportTrailer = { rows: total, columns: Object.fromEntries(counts), sha256 };
  yield encoder.encode(`${toJsonLine(trailer)}\n`);
}

/** The rows that are meant, in pieces of one column family. */
async function* pieces(
  store: StoreReader,
  columns: readonly string[],
  isMeant: RowFilter,
  { onProgress }: ExportOptions,
): AsyncGenerator<{ readonly column: string; readonly rows: readonly RawRow[] }> {
  let read = 0;
  let bytes = 0;
  for (const column of columns) {
    for await (const chunk of store.raw.scan(column).chunks()) {
      let rows: RawRow[] = [];
      let size = 0;
      for (const row of chunk) {
        bytes += row.key.length + row.value.length;
        if (!isMeant(store.schema, column, row.key)) continue;
        rows.push(row);
        size += row.key.length + row.value.length;
        if (rows.length < PIECE_ROWS && size < PIECE_BYTES) continue;
        yield { column, rows };
        rows = [];
        size = 0;
      }
      if (rows.length > 0) yield { column, rows };
      read += chunk.length;
      onProgress?.(read, bytes);
    }
  }
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
