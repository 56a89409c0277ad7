import { counted, isMerostoreError, size, toHex } from "merostore/internal";
import {
  clip,
  command,
  type ExitStatus,
  flag,
  MORE,
  type OptionValues,
  type Terminal,
  table,
  text,
  wholeNumber,
} from "merostore/internal/commands";
import {
  entryRuns,
  entryRunsBefore,
  isInRange,
  keyRange,
  missingPieces,
  type PageView,
  type TreeEntry,
} from "../index.js";
import { at, namedCommit, ofPage, openPage, parseKey } from "./opening.js";
import { readable, utf8Text } from "./text.js";

const options = {
  prefix: text("<key>", "only keys that begin with this"),
  from: text("<key>", "keys from this one on"),
  reverse: flag("last entry first"),
  limit: wholeNumber("<n>", "at most this many"),
  values: flag("values too"),
  at,
  hex: flag("keys and values in hex, also those that are given"),
  ...ofPage,
};

type Options = OptionValues<typeof options>;

/** Entries that are printed as one table, so that a long page shows from its beginning. */
const TABLE_ROWS = 64;

/** Prints the entries of a page, with their values if `values` is set. Returns status 3 if a value is damaged. */
export const entries = command({
  words: "entries <dir>",
  description: "entries of a page in key order: key, size, priority",
  options,
  help: `Examples:
  merostore ledger entries data --prefix contact/ --limit 20
  merostore ledger entries data --name contacts --values
  merostore ledger entries data --page 00112233445566778899aabbccddeeff --from 6e --hex
  merostore ledger entries data --at head --reverse --limit 1
  merostore ledger entries data --json | jq -r 'select(.size > 1000000) | .text'

In JSON "key" and "value" are hex, "text" is the key where it is UTF-8. The size of a lazy value that is not on this
device is null. The size of a damaged value is null too, and "error" gives the reason. --values reads each value into
memory; use "get" for a value that is too large for that. Status 3 if a value is damaged; the other entries are shown.`,

  async run(terminal, { dir }, options) {
    const prefix = parseKey(options.prefix ?? "", options.hex, "--prefix");
    const range = keyRange(prefix, { gte: parseKey(options.from ?? "", options.hex, "--from") });
    await using page = await openPage(terminal, dir, options);
    const head = await namedCommit(terminal, page.view, options.at ?? "head");
    let left = options.limit ?? Number.POSITIVE_INFINITY;
    let isCut = false;
    let status: ExitStatus = 0;
    const { objects } = page.view;
    const runs = options.reverse
      ? entryRunsBefore(objects, head.root, range.to)
      : entryRuns(objects, head.root, range.from);
    for await (const run of runs) {
      const named = run.filter(({ key }) => isInRange(range, key));
      let at = 0;
      while (at < named.length && left > 0) {
        const shown = named.slice(at, at + Math.min(TABLE_ROWS, left));
        if (!(await print(terminal, page.view, shown, options))) status = 3;
        left -= shown.length;
        at += shown.length;
      }
      isCut = at < named.length;
      const isLast = named.length < run.length;
      if (isCut || isLast || (left <= 0 && !options.json)) break;
    }
    if (options.json && isCut) await terminal.line(MORE);
    return status;
  },
});

/** @returns false if a value is damaged */
async function print(
  terminal: Terminal,
  view: PageView,
  shown: readonly TreeEntry[],
  options: Options,
): Promise<boolean> {
  const cells: string[][] = [];
  let isWhole = true;
  for (const entry of shown) {
    const { key, priority } = entry;
    const { content, bytes, error } = await readValue(view, entry, options.values);
    if (error !== undefined) {
      // Go on with the other entries.
      terminal.remark(`${readable(key, options.hex)}: DATA_INTEGRITY_ERROR: ${error}`);
      isWhole = false;
    }
    if (options.json) {
      const text = utf8Text(key);
      const values = options.values ? { value: content === undefined ? null : toHex(content) } : {};
      const names = { key: toHex(key), ...(text !== undefined && { text }) };
      await terminal.json({ ...names, size: bytes ?? null, priority, ...values, ...(error && { error }) });
      continue;
    }
    const absent = error === undefined ? "not here" : "damaged";
    const sizes = bytes === undefined ? absent : options.values ? counted(bytes, "byte") : size(bytes);
    const values = content === undefined ? [] : [readable(content.subarray(0, SHOWN), options.hex)];
    cells.push([readable(key, options.hex), sizes, priority, ...values]);
  }
  for (const line of table(cells, [1]))
    await terminal.line(options.values ? clip(line, terminal.width) : line);
  return isWhole;
}

/** The part of a value that is printed. It has no field if the value is not on this device. */
export interface ValueState {
  /** The whole value, if the command shows values. */
  readonly content?: Uint8Array | undefined;
  /** Its size in bytes. */
  readonly bytes?: number | undefined;
  /** The reason why the value is damaged. */
  readonly error?: string;
}

/** Reads the printed part of a value. */
export async function readValue(
  { objects }: PageView,
  entry: Pick<TreeEntry, "value" | "priority">,
  isWanted: boolean,
): Promise<ValueState> {
  const { value } = entry;
  const missing = missingPieces(entry);
  try {
    const content = isWanted ? await objects.whole(value, missing) : undefined;
    return { content, bytes: content?.length ?? (await objects.size(value, missing)) };
  } catch (error) {
    if (isMerostoreError(error, "NEEDS_FETCH")) return {};
    if (isMerostoreError(error, "DATA_INTEGRITY_ERROR")) return { error: error.message };
    throw error;
  }
}

/** Bytes of a value that one line can show at most. */
const SHOWN = 1024;
