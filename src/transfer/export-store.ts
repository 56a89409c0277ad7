/** Writing a database out as text that holds all of it. */

import { createHash } from "node:crypto";
import { toHex } from "../bytes/hex.js";
import { equalBytes } from "../bytes/order.js";
import type { EngineReader, RawRow } from "../engine/engine.js";
import { MerostoreError } from "../errors.js";
import type { Schema } from "../schemas/index.js";
import type { StoreReader } from "../store/index.js";
import { type ExportHeader, type ExportSelection, type ExportTrailer, FORM_VERSION } from "./form.js";
import { Formatter } from "./formatter.js";

/** What of a database is exported, and how. Without options: all of it, without secrets. */
export interface ExportOptions {
  /** Only these column families. */
  readonly columns?: readonly string[] | undefined;
  /** Only rows whose key names this context (32 bytes). */
  readonly contextId?: Uint8Array | undefined;
  /** Only rows whose key names this group or namespace (32 bytes). */
  readonly groupId?: Uint8Array | undefined;
  /** Write everything, private keys and private state included: what a whole database is imported from. */
  readonly revealSecrets?: boolean | undefined;
  /** Called now and then with the number of rows, and the bytes of their keys and values, read so far. */
  readonly onProgress?: ((rows: number, bytes: number) => void) | undefined;
}

/** Rows of one piece: their text stays below a few megabytes. */
const PIECE_ROWS = 256;

const encoder = new TextEncoder();

/**
 * The lines of an export, in pieces of UTF-8 that are written one after another, each of whole lines. Memory does not grow with the
 * database. Of a store that is being written, give a snapshot: the export then shows one moment.
 *
 * @throws MerostoreError `UNKNOWN_COLUMN_FAMILY`, `INVALID_ARGUMENT`, and those of reading
 * @example
 * for await (const piece of exportStore(store, { revealSecrets: true })) file.write(piece);
 */
export async function* exportStore(
  store: StoreReader,
  options: ExportOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  yield encoder.encode(`${JSON.stringify(headerOf(store, options))}\n`);
  const hash = createHash("sha256");
  const counts: Record<string, number> = {};
  await using formatter = new Formatter(store.schema, options);
  const pending: Promise<Uint8Array>[] = [];
  for await (const { column, rows } of selectedRows(store, options)) {
    counts[column] = (counts[column] ?? 0) + rows.length;
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
  const trailer: ExportTrailer = { rows: sum(counts), columns: counts, sha256: hash.digest("hex") };
  yield encoder.encode(`${JSON.stringify(trailer)}\n`);
}

/** The rows that are asked for, in pieces of one column family. */
async function* selectedRows(
  store: StoreReader,
  options: ExportOptions,
): AsyncGenerator<{ readonly column: string; readonly rows: readonly RawRow[] }> {
  const selected = selectionOf(store, options);
  let done = 0;
  let bytes = 0;
  for (const column of selected.columns) {
    for await (const chunk of store.raw.scan(column).chunks()) {
      for (const { key, value } of chunk) bytes += key.length + value.length;
      done += chunk.length;
      options.onProgress?.(done, bytes);
      const rows = selected.all ? chunk : chunk.filter(({ key }) => selected.has(column, key));
      for (let at = 0; at < rows.length; at += PIECE_ROWS)
        yield { column, rows: rows.slice(at, at + PIECE_ROWS) };
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
    revision: schema.name,
    columns,
    time: new Date().toISOString(),
    redacted: options.revealSecrets !== true,
    ...(Object.keys(selection).length > 0 && { selection }),
  };
}

/** Which rows are asked for. */
interface Selected {
  readonly columns: readonly string[];
  /** Whether that is all of these column families. */
  readonly all: boolean;
  has(column: string, key: Uint8Array): boolean;
}

function selectionOf(store: StoreReader, { columns, contextId, groupId }: ExportOptions): Selected {
  for (const [name, id] of Object.entries({ contextId, groupId })) {
    if (id !== undefined && !(id instanceof Uint8Array && id.length === 32))
      throw new MerostoreError("INVALID_ARGUMENT", `${name} must be 32 bytes`);
  }
  for (const column of columns ?? []) checkColumn(store.raw, column);
  const ids = [contextId, groupId].filter((id) => id !== undefined);
  return {
    columns:
      columns === undefined ? store.columns : store.columns.filter((column) => columns.includes(column)),
    all: ids.length === 0,
    has: (column, key) => ids.every((id) => names(store.schema, column, key, id)),
  };
}

function checkColumn(reader: EngineReader, column: string): void {
  if (reader.columns.includes(column)) return;
  throw new MerostoreError(
    "UNKNOWN_COLUMN_FAMILY",
    `the database has no column family ${column}; it has ${reader.columns.join(", ")}`,
  );
}

/** Whether one of the parts of a key is this id. */
function names(schema: Schema, column: string, bytes: Uint8Array, id: Uint8Array): boolean {
  const known = schema.identify(column, bytes);
  if (known === undefined) return false;
  const key = known.key.fromBytes(bytes) as unknown as Readonly<Record<string, unknown>>;
  return known.key.PARTS.some(({ name }) => {
    const part = key[name];
    return part instanceof Uint8Array && equalBytes(part, id);
  });
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
