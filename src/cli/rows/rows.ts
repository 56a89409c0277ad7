/** Prints rows: one JSON object per line, or aligned lines for people. */

import type { RawRow } from "../../engines/index.js";
import {
  findPrivateEntities,
  mayCarryEntities,
  type RowJson,
  type RowJsonOptions,
  readableForm,
  rowToJson,
  type Schema,
} from "../../schemas/index.js";
import type { Store } from "../../store/index.js";
import { kindColor, type Mark } from "../output/colors.js";
import { table } from "../output/table.js";
import type { Terminal } from "../output/terminal.js";
import { clip, type RowLook, rowCells } from "../output/text.js";

/** Options for printing rows. */
export interface RowOptions extends RowJsonOptions {
  /** Print JSON instead of text. */
  readonly json?: boolean | undefined;
  /** Show dates in UTC. */
  readonly utc?: boolean | undefined;
  /** Print no values. */
  readonly keysOnly?: boolean | undefined;
}

/** Adds the private entities of a database to the options, if rows of the column family can carry some. */
export async function withPrivateEntities<O extends RowOptions>(
  { raw, schema }: Store,
  column: string,
  options: O,
): Promise<O> {
  const { revealSecrets, keysOnly, privateEntities } = options;
  if (revealSecrets || keysOnly || privateEntities !== undefined || !mayCarryEntities(column)) return options;
  return { ...options, privateEntities: await findPrivateEntities(raw, schema) };
}

/**
 * The form of a row: JSON if `json` is set, otherwise with dates and sizes for people. Only the key with `keysOnly`.
 */
export function rowForm(schema: Schema, column: string, row: RawRow, options: RowOptions): RowJson {
  const { revealSecrets, base58, privateEntities } = options;
  const readable = options.json ? undefined : readableForm(options.utc ?? false);
  const form = rowToJson(schema, column, row, { revealSecrets, base58, privateEntities, readable });
  if (!options.keysOnly) return form;
  const { kind, key, parts } = form;
  return { column: form.column, kind, key, parts };
}

/** Prints rows of one column family. */
export async function printRows(
  terminal: Terminal,
  schema: Schema,
  column: string,
  rows: readonly RawRow[],
  options: RowOptions,
): Promise<void> {
  const forms = rows.map((row) => rowForm(schema, column, row, options));
  if (options.json) {
    for (const form of forms) await terminal.json(form);
    return;
  }
  const lines = rowLines(forms, { ...options, ids: terminal.ids });
  for (const [at, line] of lines.entries())
    await terminal.line(clip(line, terminal.width), kindMark(forms[at] as RowJson));
}

/** The kind at the beginning of a row's line, in the colour of its column family. */
function kindMark({ column, kind }: RowJson): readonly Mark[] {
  return kind === null ? [] : [{ from: 0, to: kind.length, color: kindColor(column) }];
}

/** Rows as aligned lines, one for each. Consecutive rows of a kind share their columns. */
function rowLines(rows: readonly RowJson[], look: RowLook = {}): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let end = 1; end <= rows.length; end++) {
    if (end < rows.length && rows[end]?.kind === rows[start]?.kind) continue;
    for (const line of table(rows.slice(start, end).map((row) => rowCells(row, look)))) lines.push(line);
    start = end;
  }
  return lines;
}
