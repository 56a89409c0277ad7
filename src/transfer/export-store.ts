/** Writing a database out as text that holds all of it. */

import { createHash } from "node:crypto";
import { toHex } from "../bytes/hex.js";
import { equalBytes } from "../bytes/order.js";
import type { EngineReader, RawRow } from "../engine/engine.js";
import { MerostoreError } from "../errors.js";
import { rowToJson, type Schema } from "../schemas/index.js";
import type { StoreReader } from "../store/index.js";
import { type ExportHeader, type ExportSelection, type ExportTrailer, FORM_VERSION } from "./form.js";

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
  const selected = selectionOf(store, options);
  yield `${JSON.stringify(headerOf(store, options))}\n`;
  const hash = createHash("sha256");
  const counts: Record<string, number> = {};
  let rows = 0;
  let bytes = 0;
  for (const column of selected.columns) {
    let count = 0;
    for await (const chunk of store.raw.scan(column).chunks()) {
      let piece = "";
      for (const row of chunk) {
        bytes += row.key.length + row.value.length;
        if (!selected.has(column, row)) continue;
        piece += `${JSON.stringify(rowToJson(schema, column, row, options))}\n`;
        count++;
      }
      rows += chunk.length;
      options.onProgress?.(rows, bytes);
      if (piece === "") continue;
      hash.update(piece);
      yield piece;
    }
    if (count > 0) counts[column] = count;
  }
  const trailer: ExportTrailer = { rows: sum(counts), columns: counts, sha256: hash.digest("hex") };
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
  has(column: string, row: RawRow): boolean;
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
    has:
      ids.length === 0
        ? () => true
        : (column, { key }) => ids.every((id) => names(store.schema, column, key, id)),
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
