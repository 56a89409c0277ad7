import { compareBytes, successor } from "../bytes/order.js";
import type { ByteRange, RawRow, ScanOptions } from "../engines/index.js";
import { isMerostoreError, MerostoreError } from "../errors.js";
import type { AnyKeyClass } from "../keys/index.js";
import type { Store } from "../store/index.js";
import { rowsOfKind } from "../store/index.js";
import { type DatabaseOptions, openDatabase } from "./database.js";
import { parseHex, parseRange } from "./parts.js";
import { printRows, type RowOptions, withPrivateEntities } from "./rows.js";
import type { Terminal } from "./terminal.js";

export interface ScanCommandOptions extends DatabaseOptions, RowOptions {
  readonly column?: string | undefined;
  readonly prefix?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly reverse?: boolean | undefined;
  readonly limit?: number | undefined;
}

/** Prints rows in key order: those of a kind, of a column family, or all. Status 3 if some could not be read. */
export async function scan(
  terminal: Terminal,
  path: string,
  kind: string | undefined,
  words: readonly string[],
  options: ScanCommandOptions,
): Promise<number> {
  const bounds = boundsOf(options);
  if (kind !== undefined && options.column !== undefined) {
    throw new MerostoreError("INVALID_ARGUMENT", "name either a KIND or a --column, not both");
  }
  if (bounds !== undefined && options.column === undefined) {
    throw new MerostoreError(
      "INVALID_ARGUMENT",
      "--prefix, --from and --to need a --column; a KIND takes part=value",
    );
  }
  await using store = await openDatabase(terminal, path, options);
  using progress = terminal.progress("scan", "rows");
  let done = 0;
  let left = options.limit;
  let status = 0;
  let shown: RowOptions = options;
  for (const { column, chunks } of sources(store, kind, words, options, bounds)) {
    if (left === 0) break;
    try {
      shown = await withPrivateEntities(store, column, shown);
      for await (const chunk of chunks({
        reverse: options.reverse,
        keysOnly: options.keysOnly,
        limit: left,
      })) {
        await printRows(terminal, store.schema, column, chunk, shown);
        done += chunk.length;
        if (left !== undefined) left -= chunk.length;
        progress.at(done);
      }
    } catch (error) {
      // Damage ends the scan of its column family; the others are read all the same.
      if (!isMerostoreError(error, "DATABASE_DAMAGED")) throw error;
      await terminal.flush();
      terminal.remark(`merostore: ${error.message}`);
      status = 3;
    }
  }
  return status;
}

/** What is scanned, column family by column family. */
function sources(
  store: Store,
  kind: string | undefined,
  words: readonly string[],
  { column }: ScanCommandOptions,
  bounds: ByteRange | undefined,
): { readonly column: string; chunks(options: ScanOptions): AsyncIterable<readonly RawRow[]> }[] {
  if (kind !== undefined) {
    const keyClass: AnyKeyClass = store.schema.row(kind).key;
    const range = parseRange(keyClass, words);
    return [{ column: range.column, chunks: (options) => rowsOfKind(store.raw, range, options) }];
  }
  const columns = column === undefined ? store.columns : [column];
  return columns.map((name) => ({
    column: name,
    chunks: (options) => store.raw.scan(name, bounds, options).chunks(),
  }));
}

function boundsOf({ prefix, from, to }: ScanCommandOptions): ByteRange | undefined {
  if (prefix === undefined && from === undefined && to === undefined) return undefined;
  if (prefix !== undefined && (from !== undefined || to !== undefined)) {
    throw new MerostoreError("INVALID_ARGUMENT", "--prefix is a range of its own: leave out --from and --to");
  }
  if (prefix !== undefined) {
    const bytes = parseHex("--prefix", prefix);
    return { from: bytes, to: successor(bytes) };
  }
  const bounds = {
    from: from === undefined ? undefined : parseHex("--from", from),
    to: to === undefined ? undefined : parseHex("--to", to),
  };
  if (bounds.from && bounds.to && compareBytes(bounds.from, bounds.to) > 0) {
    throw new MerostoreError("INVALID_ARGUMENT", "--from lies behind --to: no key is between them");
  }
  return bounds;
}
