/** Exports a database as text. */

import { createHash } from "node:crypto";
import { toHex } from "../bytes/hex.js";
import { idHex } from "../bytes/id.js";
import { quoted, toJsonLine } from "../bytes/visible.js";
import { abortable, sizeOf } from "../engine/abortable.js";
import { unknownColumn } from "../engine/arguments.js";
import type { EngineReader, RawRow } from "../engine/engine.js";
import { refuseLost } from "../engine/lost.js";
import { isMerostoreError, MerostoreError } from "../errors.js";
import { checkArgument, checkOptions, isFlag, isFunction, isReader, type OptionChecks } from "../options.js";
import { Pause } from "../pause.js";
import { Follower, type ProgressOptions, progressOptions } from "../progress.js";
import {
  findPrivateEntities,
  mayCarryEntities,
  nameOfSchema,
  PrivateEntities,
  type RowSelection,
  rowsToLines,
  type Schema,
  type SelectedRows,
  selectionOptions,
  selectRows,
} from "../schemas/index.js";
import { rowsInRanges, type StoreReader } from "../store/index.js";
import { type ExportHeader, type ExportSelection, type ExportTrailer, FORM_VERSION } from "./form.js";
import {
  countColumns,
  LARGEST_ROW,
  LONGEST_HEADER,
  LONGEST_LINE,
  MOST_COLUMNS,
  MOST_VALUES,
} from "./limits.js";
import { countValues } from "./lines.js";

/** Options of an export. By default, the whole database is exported without secrets. */
export interface ExportOptions extends RowSelection, ProgressOptions {
  /** Only these column families. */
  readonly columns?: readonly string[] | undefined;
  /** A report about the database for the first line. */
  readonly report?: unknown;
  /** Include private keys and private state. Only such an export can restore the whole database. */
  readonly revealSecrets?: boolean | undefined;
  /**
   * Called with each column family that has a damaged table, and the reason. The export then has its rows up to the
   * damage. Without it, the export fails.
   */
  readonly onDamage?: ((column: string, reason: string) => void) | undefined;
}

/** The totals of an export. */
export interface ExportSummary {
  /** The number of written rows, including rows without a value. */
  readonly rows: number;
  /**
   * The number of rows without a value, which the export cannot restore: rows with secrets, and rows that do not decode
   * and may have secrets. 0 with `revealSecrets`.
   */
  readonly withoutValue: number;
  /**
   * The number of rows that may be encrypted and that no given master key decrypts. The export has them without a
   * value, and cannot be imported.
   */
  readonly undecrypted: number;
}

const exportOptions: OptionChecks<ExportOptions> = {
  ...selectionOptions,
  report: () => undefined,
  revealSecrets: isFlag,
  onDamage: isFunction,
  ...progressOptions,
};

/** The limits of a chunk: rows, and bytes of keys and values, because values may be large. */
const PIECE_ROWS = 128;
const PIECE_BYTES = 128 * 1024;

const encoder = new TextEncoder();

/**
 * Yields an export as UTF-8 in chunks of whole lines, and returns a summary. Memory does not grow with the database. If
 * a store is written meanwhile, pass a snapshot of it, so that the export is consistent.
 *
 * @throws MerostoreError `UNKNOWN_COLUMN_FAMILY` and `INVALID_ARGUMENT` at once, and `DATABASE_DAMAGED` if writes after
 *   damage in a write-ahead log are missing and the opening did not accept their loss; `EXPORT_TOO_LARGE` for a row of
 *   more than 16 MiB or a database of more than 256 column families; and errors of reading
 * @example
 * import { open } from "node:fs/promises";
 *
 * const file = await open("backup.ndjson", "wx", 0o600);
 * for await (const piece of exportStore(store, { revealSecrets: true })) await file.appendFile(piece);
 * await file.close();
 */
export function exportStore(
  store: StoreReader,
  options: ExportOptions = {},
): AsyncGenerator<Uint8Array, ExportSummary, undefined> {
  checkArgument("exportStore", store, isReader);
  checkOptions("exportStore", options, exportOptions);
  refuseLost(store.raw);
  const header = encodeLine(headerOf(store, options));
  // The last line repeats the names of the column families.
  if (2 * header.length > LONGEST_HEADER)
    throw tooLarge("the names of the column families, or the report, are too long");
  const { contextId, groupId, memberIds } = options;
  return writeLines({
    raw: abortable(store.raw, options.signal),
    schema: store.schema,
    header,
    columns: columnsOf(store, options),
    selected: selectRows({ contextId, groupId, memberIds }),
    options: { ...options },
  });
}

interface Task {
  readonly raw: EngineReader;
  readonly schema: Schema;
  readonly header: Uint8Array;
  readonly columns: readonly string[];
  readonly selected: SelectedRows;
  readonly options: ExportOptions;
}

async function* writeLines(task: Task): AsyncGenerator<Uint8Array, ExportSummary, undefined> {
  yield task.header;
  const {
    raw,
    schema,
    columns,
    options: { revealSecrets },
  } = task;
  const follower = new Follower(task.options, "rows", task.selected.all ? await sizeOf(raw, columns) : 0);
  const hash = createHash("sha256");
  const pause = new Pause(task.options.signal);
  const counts = new Map<string, number>();
  let total = 0;
  let withoutValue = 0;
  let undecrypted = 0;
  const mayHide = revealSecrets !== true && columns.some(mayCarryEntities);
  const privateEntities = mayHide ? await privateEntitiesOf(task) : undefined;
  for await (const { column, rows } of readPieces(task, follower)) {
    const lines = rowsToLines(schema, column, rows, { revealSecrets, privateEntities });
    checkLength(lines.text);
    counts.set(column, (counts.get(column) ?? 0) + rows.length);
    total += rows.length;
    withoutValue += lines.withoutValue;
    undecrypted += lines.undecrypted;
    hash.update(lines.text);
    yield lines.text;
    await pause.ifLong();
  }
  const sha256 = hash.digest("hex");
  const trailer: ExportTrailer = { rows: total, columns: Object.fromEntries(counts), sha256 };
  yield encodeLine(trailer);
  follower.end();
  return { rows: total, withoutValue, undecrypted };
}

/** Yields the selected rows, in chunks of one column family. */
async function* readPieces(
  { raw, schema, columns, selected, options: { onDamage } }: Task,
  follower: Follower,
): AsyncGenerator<{ readonly column: string; readonly rows: readonly RawRow[] }> {
  const reader = raw.strict ?? raw;
  for (const column of columns)
    try {
      for await (const chunk of rowsInRanges(reader, column, selected.ranges(column, schema))) {
        let rows: RawRow[] = [];
        let size = 0;
        let bytes = 0;
        for (const row of chunk) {
          const length = row.key.length + row.value.length;
          bytes += length;
          if (!selected.has(schema, column, row.key)) continue;
          if (length > LARGEST_ROW) throw rowTooLarge(column, row);
          rows.push(row);
          size += length;
          if (rows.length < PIECE_ROWS && size < PIECE_BYTES) continue;
          yield { column, rows };
          rows = [];
          size = 0;
        }
        if (rows.length > 0) yield { column, rows };
        follower.add(chunk.length, bytes);
      }
    } catch (error) {
      if (onDamage === undefined || !isMerostoreError(error, "DATABASE_DAMAGED")) throw error;
      onDamage(column, error.message);
    }
}

/** Returns the private entities. If the export skips damage that may hide some of them, all entities may be private. */
async function privateEntitiesOf({ raw, schema, options }: Task): Promise<PrivateEntities> {
  try {
    return await findPrivateEntities(raw, schema);
  } catch (error) {
    if (options.onDamage === undefined || !isMerostoreError(error, "DATABASE_DAMAGED")) throw error;
    return PrivateEntities.unknown;
  }
}

function headerOf({ schema, columns }: StoreReader, options: ExportOptions): ExportHeader {
  if (countColumns(columns) > MOST_COLUMNS)
    throw tooLarge(
      `the database has ${columns.length} column families, but an export can have at most ${MOST_COLUMNS}`,
    );
  const { columns: only, contextId, groupId, memberIds } = options;
  const selection: ExportSelection = {
    ...(only && { columns: [...new Set(only)] }),
    ...(contextId && { context: idHex(contextId) }),
    ...(groupId && { group: idHex(groupId) }),
    ...(memberIds && { members: memberIds.map(idHex) }),
  };
  return {
    export: "merostore",
    version: FORM_VERSION,
    ...nameOfSchema(schema),
    columns,
    time: new Date().toISOString(),
    redacted: options.revealSecrets !== true,
    ...(Object.keys(selection).length > 0 && { selection }),
    ...(options.report !== undefined && { report: options.report }),
  };
}

function columnsOf({ columns: all }: StoreReader, { columns = all }: ExportOptions): readonly string[] {
  for (const column of columns) if (!all.includes(column)) throw unknownColumn(column, all);
  return all.filter((column) => columns.includes(column));
}

/** Refuses a row that is too long for `import`. Only a chunk of a single row can be so long. */
function checkLength(text: Uint8Array): void {
  if (text.length > LONGEST_LINE) throw tooLarge(`a row takes more than ${LONGEST_LINE} bytes as text`);
  if (text.length > MOST_VALUES && countValues(text) > MOST_VALUES)
    throw tooLarge(`a row has more than ${MOST_VALUES} values`);
}

/** Encodes the first or the last line. */
function encodeLine(content: ExportHeader | ExportTrailer): Uint8Array {
  return encoder.encode(`${toJsonLine(content)}\n`);
}

function rowTooLarge(column: string, { key, value }: RawRow): MerostoreError {
  const name = `${quoted(column)} ${toHex(key.subarray(0, 64))}${key.length > 64 ? "…" : ""}`;
  const length = key.length + value.length;
  return tooLarge(
    `the row ${name} has ${length} bytes, but rows of an export can have at most ${LARGEST_ROW}`,
  );
}

function tooLarge(why: string): MerostoreError {
  return new MerostoreError("EXPORT_TOO_LARGE", `${why}: copy the database with backup instead`);
}
