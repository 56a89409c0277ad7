/** One row, by the parts or by the bytes of its key. */
import { invalidArgument } from "../../errors.js";
import type { Store } from "../../store/index.js";
import type { ExitStatus } from "../arguments/command.js";
import { withWholeIds } from "../arguments/ids.js";
import { text } from "../arguments/option-kinds.js";
import { parseHex, parseKey } from "../arguments/parts.js";
import type { Terminal } from "../output/terminal.js";
import { rowText } from "./row-text.js";
import { type RowOptions, rowForm, withPrivateEntities } from "./rows.js";

/** Options that name a row by the bytes of its key. */
export const keyBytes = {
  column: text("<name>", "with --key, instead of a thing: the column family of a row"),
  key: text("<hex>", "with --column: the key's bytes"),
};

/** The words and options that name a row. */
export interface RowName {
  readonly kind: string | undefined;
  readonly parts: readonly string[];
  readonly column: string | undefined;
  readonly key: string | undefined;
}

/** Prints a row. Returns status 1 if it is absent, 3 if its value does not decode. */
export async function printRow(
  terminal: Terminal,
  store: Store,
  { kind, parts, column: family, key: hex }: RowName,
  options: RowOptions & { readonly json: boolean },
): Promise<ExitStatus> {
  const byBytes = family !== undefined && hex !== undefined;
  if ((kind === undefined) !== byBytes || (!byBytes && (family !== undefined || hex !== undefined)))
    throw invalidArgument("name a thing, or a row: by KIND part=value …, or by --column NAME --key HEX");
  const keyClass = kind === undefined ? undefined : store.schema.row(kind).key;
  const key =
    keyClass === undefined
      ? parseHex("--key", hex ?? "")
      : parseKey(keyClass, await withWholeIds(store, keyClass, parts)).bytes;
  const column = keyClass?.COLUMN ?? family ?? "";
  const value = await store.raw.get(column, key);
  if (value === undefined) {
    terminal.remark(`no such row in ${column}`);
    return 1;
  }
  const shown = await withPrivateEntities(store, column, options);
  const row = rowForm(store.schema, column, { key, value }, shown);
  if (options.json) await terminal.json(row);
  else await terminal.lines(rowText(row, terminal.width));
  if (row.error === undefined) return 0;
  terminal.remark(row.error);
  return 3;
}
