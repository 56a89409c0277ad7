/** Shows a change of one row: the row before and after, and the command that undoes the change. */

import { equalBytes } from "../../bytes/order.js";
import { size } from "../../bytes/quantity.js";
import { type Json, ReadFailure } from "../../codec/index.js";
import { orUndefined } from "../../errors.js";
import type { AnyKey } from "../../keys/index.js";
import {
  type AnyRow,
  type Readable,
  type RowJson,
  readableForm,
  rowToJson,
  type Schema,
} from "../../schemas/index.js";
import type { Store } from "../../store/index.js";
import { writing } from "../arguments/options.js";
import { typedOptions } from "../arguments/parser.js";
import type { IdLook } from "../output/id-look.js";
import { table } from "../output/table.js";
import type { Terminal } from "../output/terminal.js";
import { long, printable, programName, shellWord, short, valueText } from "../output/text.js";
import { withPrivateEntities } from "./rows.js";
import { followsFromOperations } from "./signed-rows.js";

/** A change of a row, before it is made. */
export interface Change {
  readonly row: AnyRow;
  readonly key: AnyKey;
  /** The JSON form of the present row; undefined if absent. */
  readonly before: RowJson | undefined;
  /** The JSON form of the row after the change; undefined if it is deleted. */
  readonly after: RowJson | undefined;
  /** Both rows in the form for people. */
  readonly shown: { readonly before: RowJson | undefined; readonly after: RowJson | undefined };
  /** True if the change does not change the row. */
  readonly same: boolean;
  /** The words of the command that undoes the change; undefined if it cannot be printed. */
  readonly undo: readonly string[] | undefined;
  /** The reason why the change cannot be undone by a command. */
  readonly whyNot?: string | undefined;
}

/** The words that name the row in a command. */
interface CommandTarget {
  readonly db: string;
  /** The options for writing that the user gave, in typed form: the same ones open the database again. */
  readonly options: readonly string[];
}

/** The most characters of a JSON value in an undo; longer values are in hex. */
const READABLE = 300;
/** The most bytes of a value in a command: Linux allows 128 KiB in a word. */
const FITS = 60_000;

/** The reason why a row with secrets has no undo. */
const SECRETS = "it would contain the secrets of the row";

/** The options for writing that the user gave, in typed form. */
export function typedWriting(
  options: Parameters<typeof typedOptions<keyof typeof writing>>[0],
): readonly string[] {
  return typedOptions(options, Object.keys(writing) as (keyof typeof writing)[]);
}

/** Warns before a row with secrets is overwritten or deleted, because no undo command is printed for it. */
export function warnOfSecrets(terminal: Terminal, db: string, { whyNot, same }: Change, doing: string): void {
  if (whyNot !== SECRETS || same) return;
  const copy = commandLine(["backup", db, "FOLDER"]);
  terminal.remark(
    `${doing} loses secrets: the command that undoes it would contain them, and is not printed; to keep a copy first: ${copy}`,
  );
}

/** Prepares a change. `value` is undefined for a deletion. */
export async function changeOf(
  store: Store,
  place: CommandTarget,
  row: AnyRow,
  key: AnyKey,
  value: Uint8Array | undefined,
): Promise<Change> {
  const { schema } = store;
  const options = await withPrivateEntities(store, row.column, {});
  const formOf = (bytes: Uint8Array | undefined, readable?: Readable): RowJson | undefined =>
    bytes &&
    rowToJson(schema as Schema, row.column, { key: key.bytes, value: bytes }, { ...options, readable });
  const stored = await store.raw.get(row.column, key.bytes);
  const before = formOf(stored);
  const after = formOf(value);
  const same = stored === undefined || value === undefined ? stored === value : equalBytes(stored, value);
  const readable = readableForm(false);
  const shown = { before: formOf(stored, readable), after: formOf(value, readable) };
  return { row, key, before, after, shown, same, ...undoOf(place, row, key, before ?? after, stored) };
}

function undoOf(
  { db, options }: CommandTarget,
  row: AnyRow,
  key: AnyKey,
  form: RowJson | undefined,
  stored: Uint8Array | undefined,
): Pick<Change, "undo" | "whyNot"> {
  const parts = Object.entries(form?.parts ?? {}).map(([name, part]) => `${name}=${part}`);
  const named = [db, row.kind, ...parts, ...options];
  // The undo restores the old row, even against the operations.
  if (followsFromOperations(row)) named.push("--force");
  if (stored === undefined) return { undo: ["delete", ...named] };
  if (form?.error !== undefined)
    return { undo: undefined, whyNot: "put takes no value that does not decode" };
  const refused = row.refused(key) === undefined ? refusedValue(row, key, stored) : "key";
  if (refused !== undefined)
    return { undo: undefined, whyNot: `put takes no ${refused} that the node does not read` };
  if (stored.length > FITS) return { undo: undefined, whyNot: "the value is too long for a command" };
  const json = jsonOf(row, form?.decoded ?? null, stored);
  // A shown value that encodes to the same bytes has no redacted field.
  if (json !== undefined && (json.length <= READABLE || form?.value === undefined))
    return { undo: ["put", ...named, "--value", json] };
  if (form?.value === undefined) return { undo: undefined, whyNot: SECRETS };
  return { undo: ["put", ...named, "--value-hex", form.value] };
}

/** Returns `value` if the node does not read the value although its layout is right. */
function refusedValue(row: AnyRow, key: AnyKey, stored: Uint8Array): "value" | undefined {
  const value = row.valueAt(key).readWhole(stored);
  return value instanceof ReadFailure || row.refusedValue(key, value) === undefined ? undefined : "value";
}

/** The shown value as text, if `put` would write the stored bytes from it. */
function jsonOf(row: AnyRow, decoded: Json, stored: Uint8Array): string | undefined {
  if (row.alternative !== undefined) return undefined;
  const again = orUndefined(() => row.value.encode(row.value.fromJson(decoded)));
  return again !== undefined && equalBytes(again, stored) ? JSON.stringify(decoded) : undefined;
}

/** The command line of an undo, quoted for a shell. */
export function commandLine(words: readonly string[]): string {
  return [programName(), ...words.map(shellWord)].join(" ");
}

/** Prints a change, or the change that a dry run would make. */
export async function printChange(
  terminal: Terminal,
  db: string,
  change: Change,
  options: { readonly json: boolean; readonly dryRun: boolean; readonly short: boolean },
): Promise<void> {
  // Ids are whole on a terminal too, because a person compares them with the written ones.
  const look = { ...terminal.ids, whole: !options.short };
  const { row, before, after, shown, undo, whyNot, same } = change;
  const command = same || undo === undefined ? null : commandLine(undo);
  const noUndo = `no undo can be printed: ${whyNot}; to keep a copy first: ${commandLine(["backup", db, "FOLDER"])}`;
  if (options.json) {
    const { column, kind, key, parts } = (before ?? after) as RowJson;
    const sides = { before: sideJson(before), after: sideJson(after) };
    await terminal.json({
      column,
      kind,
      key,
      parts,
      ...sides,
      changed: !same && !options.dryRun,
      undo: command,
    });
    if (!same && command === null && whyNot !== SECRETS) terminal.remark(noUndo);
    return;
  }
  const parts = Object.entries((shown.before ?? shown.after)?.parts ?? {});
  const [now, title] = options.dryRun ? ["would be", "would change"] : ["now", "changed"];
  const cells = [
    ...parts.map(([name, part]) => [name, look.whole && !look.base58 ? long(part) : short(part, look)]),
    ["before", sideText(shown.before, look)],
    [now, sideText(shown.after, look)],
  ];
  await terminal.line(
    `${row.kind} in ${printable(row.column)} ${same ? "unchanged: the row already has this value" : title}`,
  );
  for (const line of table(cells)) await terminal.line(`  ${line}`);
  if (same) return;
  if (command !== null) await terminal.line(`undo: ${command}`);
  else await terminal.line(noUndo);
}

function sideText(form: RowJson | undefined, look: IdLook): string {
  return form === undefined ? "no row" : valueText(form, (value: Json) => long(value, look));
}

function sideJson(form: RowJson | undefined): object | null {
  return form === undefined ? null : { value: form.value, decoded: form.decoded, error: form.error };
}

/** `wrote GroupAlias, a value of 11 bytes` on stderr, or that nothing was done. */
export function remarkChange(
  terminal: Terminal,
  done: string,
  bytes: number | undefined,
  { dryRun, same }: { readonly dryRun: boolean; readonly same: boolean },
): void {
  if (same) terminal.remark("the row has this value: nothing was written");
  else if (dryRun) terminal.remark("nothing was written: this was a --dry-run");
  else terminal.remark(`${done}${bytes === undefined ? "" : `, a value of ${size(bytes)}`}`);
}
