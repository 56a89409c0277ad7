import { compareBytes, successor } from "../../bytes/order.js";
import type { ByteRange, RawRow, ScanOptions } from "../../engines/index.js";
import { invalidArgument, isMerostoreError, UnknownWord } from "../../errors.js";
import type { AnyKeyClass } from "../../keys/index.js";
import { type SelectedRows, selectRows } from "../../schemas/index.js";
import { rowsInRanges, rowsOfKind, type Store } from "../../store/index.js";
import { command, type ExitStatus } from "../arguments/command.js";
import { withWholeIds } from "../arguments/ids.js";
import { flag, text, wholeNumber } from "../arguments/option-kinds.js";
import { ids, json, reading, revealSecrets, tableForm, utc } from "../arguments/options.js";
import { parseHex, parseRange } from "../arguments/parts.js";
import { parseSelection, remarkNoRows, selectsIds } from "../arguments/selection.js";
import { isEncrypted, openDatabase } from "../database/database.js";
import { asked, MORE } from "../output/limit.js";
import { programRows } from "../output/table.js";
import { rowCells, shellWord } from "../output/text.js";
import { printRows, type RowOptions, rowForm, withPrivateEntities } from "./rows.js";

/**
 * Prints rows in key order: of a kind, of a column family, or all. Status 3 if some rows, or all values, could not be
 * read.
 */
export const scan = command({
  words: "scan <db> [kind] [parts...]",
  description: "list rows in key order: of a kind, of a column family, or all",
  options: {
    column: text("<name>", "the rows of this column family"),
    prefix: text("<hex>", "with --column: keys that begin with these bytes"),
    from: text("<hex>", "with --column: keys from this one on"),
    to: text("<hex>", "with --column: keys before this one"),
    reverse: flag("last row first"),
    ...ids,
    limit: wholeNumber("<n>", "at most this many rows"),
    keysOnly: flag("no values"),
    ...reading,
    json,
    utc,
    revealSecrets,
    output: tableForm(),
  },
  help: `Without a kind: every row of every column family, one after another. The parts that are given must be the leading
ones of the key; "merostore schema" lists the kinds and their parts. --reverse turns the rows of each column family.
--context, --group and --member take the rows that name all of them: status 1 if none does. The kind UnknownRow stands
for rows whose key no kind has. Of an encrypted database without its key, --keys-only lists the keys; the rows without
their values end with status 3.

Examples:
  merostore scan node/data GroupMember groupId=HqmkS4UhBYn7Qnoe7SBrR3dMto1SZN5NwmELweCuXyAC
  merostore scan node/data GroupOpLog groupId=HqmkS4UhBYn7Qnoe7SBrR3dMto1SZN5NwmELweCuXyAC --reverse --limit 10
  merostore scan node/data --group office --keys-only
  merostore scan node/data --column Group --prefix 30 --keys-only
  merostore scan node/data --json --reveal-secrets > rows.jsonl`,

  async run(terminal, { db, kind, parts }, options) {
    const { column, reverse, keysOnly, limit } = options;
    const bounds = boundsOf(options);
    if (kind !== undefined && column !== undefined) {
      throw invalidArgument("name either a KIND or a --column, not both");
    }
    if (bounds !== undefined && column === undefined) {
      throw invalidArgument("--prefix, --from and --to need a --column; a KIND takes part=value");
    }
    await using store = await openDatabase(terminal, db, options);
    using progress = terminal.progress("scan", "rows");
    const { columns: _, ...selection } = await parseSelection({ ...options, column: undefined }, store);
    if (column !== undefined) await store.raw.approximateSize(column); // throws for an unknown column family
    const selected = selectRows(selection);
    const sources =
      kind === undefined
        ? columnSources(store, column, bounds, selected)
        : kind === UNKNOWN
          ? unknownSources(store, parts, selected)
          : [await kindSource(store, kind, parts)];
    let done = 0;
    let read = 0;
    const most = asked(options);
    let left = limit ?? Number.POSITIVE_INFINITY;
    let isCut = false;
    let status: ExitStatus = 0;
    let shown: RowOptions = options;
    const heads = ["row", "column family", ...(keysOnly ? [] : ["value"])];
    const print = await programRows(terminal, heads);
    for (const { column, chunks } of sources) {
      if (isCut || (left === 0 && most === limit)) break;
      try {
        shown = await withPrivateEntities(store, column, shown);
        // A limit counts only selected rows.
        const first = selectsIds(selection) || most === undefined ? undefined : most - done;
        for await (const chunk of chunks({ reverse, keysOnly, limit: first })) {
          const named = chunk.filter(({ key }) => selected.has(store.schema, column, key));
          const rows = named.slice(0, left);
          if (print === undefined) await printRows(terminal, store.schema, column, rows, shown);
          else
            for (const row of rows) {
              const cells = rowCells(rowForm(store.schema, column, row, shown), {
                keysOnly,
                ids: terminal.ids,
              });
              const value = keysOnly ? [] : cells.splice(-1);
              await print([cells.join(" "), column, ...value]);
            }
          done += rows.length;
          read += chunk.length;
          progress.show({ done: read, unit: "rows" });
          left -= rows.length;
          isCut = rows.length < named.length;
          if (isCut || (left === 0 && most === limit)) break;
        }
      } catch (error) {
        // Damage ends the scan of its column family. The scan continues with the others.
        if (!isMerostoreError(error, "DATABASE_DAMAGED")) throw error;
        await terminal.flush();
        terminal.remark(error.message);
        status = 3;
      }
    }
    if (options.json && isCut) await terminal.line(MORE);
    if (done === 0 && status === 0 && limit !== 0 && selectsIds(selection)) {
      remarkNoRows(terminal, { ...selection, columns: column === undefined ? undefined : [column] });
      return 1;
    }
    if (done === 0 && status === 0 && limit !== 0 && terminal.interactive) terminal.remark("no rows");
    // Encrypted rows were printed without values, unless only keys were requested.
    return status === 0 && done > 0 && !keysOnly && (await isEncrypted(store, options)) ? 3 : status;
  },
});

/** A column family to scan, and its rows in chunks. */
interface Source {
  readonly column: string;
  chunks(options: ScanOptions): AsyncIterable<readonly RawRow[]>;
}

/** The rows of a kind whose leading parts are these. */
async function kindSource(store: Store, kind: string, parts: readonly string[]): Promise<Source> {
  const keyClass = keyClassOf(store, kind);
  const range = parseRange(keyClass, await withWholeIds(store, keyClass, parts));
  return { column: range.column, chunks: (options) => rowsOfKind(store.raw, range, options) };
}

/**
 * The key class of a kind.
 *
 * @throws MerostoreError `UNKNOWN_NAME`, which says so if it is the name of a column family
 */
function keyClassOf(store: Store, kind: string): AnyKeyClass {
  try {
    return store.schema.row(kind).key;
  } catch (error) {
    if (!isMerostoreError(error, "UNKNOWN_NAME") || !store.columns.includes(kind)) throw error;
    throw new UnknownWord(
      `${kind} is a column family, not a kind of row: write --column ${shellWord(kind)}`,
      { cause: error },
    );
  }
}

/**
 * The rows of one column family or of all: within the bounds, or else within the ranges that can have selected rows.
 */
function columnSources(
  store: Store,
  column: string | undefined,
  bounds: ByteRange | undefined,
  selected: SelectedRows,
): Source[] {
  const columns = column === undefined ? store.columns : [column];
  return columns.map((name) => ({
    column: name,
    chunks: (options) =>
      rowsInRanges(store.raw, name, bounds ? [bounds] : selected.ranges(name, store.schema), options),
  }));
}

/** The name for rows of no known kind, as in SQL. */
const UNKNOWN = "UnknownRow";

function unknownSources(store: Store, parts: readonly string[], selected: SelectedRows): Source[] {
  if (parts.length > 0) throw invalidArgument(`${UNKNOWN} has no parts: nothing is known of these keys`);
  return columnSources(store, undefined, undefined, selected).map(({ column, chunks }) => ({
    column,
    async *chunks({ limit: _, ...options }) {
      for await (const chunk of chunks(options))
        yield chunk.filter(({ key }) => store.schema.identify(column, key) === undefined);
    },
  }));
}

/** The options that bound the keys of a column family, as hex digits. */
interface KeyBounds {
  readonly prefix: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

function boundsOf({ prefix, from, to }: KeyBounds): ByteRange | undefined {
  if (prefix === undefined && from === undefined && to === undefined) return undefined;
  if (prefix !== undefined && (from !== undefined || to !== undefined)) {
    throw invalidArgument("--prefix cannot be used with --from or --to");
  }
  if (prefix !== undefined) {
    const bytes = parseHex("--prefix", prefix);
    return { gte: bytes, lt: successor(bytes) };
  }
  const bounds = {
    gte: from === undefined ? undefined : parseHex("--from", from),
    lt: to === undefined ? undefined : parseHex("--to", to),
  };
  if (bounds.gte && bounds.lt && compareBytes(bounds.gte, bounds.lt) > 0) {
    throw invalidArgument("--from is after --to: no key is between them");
  }
  return bounds;
}
