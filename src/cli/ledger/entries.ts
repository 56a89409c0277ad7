import { toHex } from "../../bytes/hex.js";
import { compareBytes } from "../../bytes/order.js";
import { isMerostoreError } from "../../errors.js";
import { hasPrefix } from "../../ledger/page/snapshot.js";
import { missingPieces } from "../../ledger/storage/entry-values.js";
import type { TreeEntry } from "../../ledger/tables/tree-node.js";
import { entryRuns } from "../../ledger/tree/iterate.js";
import type { PageView } from "../../ledger/view/index.js";
import { asJson } from "../rows.js";
import type { Terminal } from "../terminal.js";
import { clip, count, size, table } from "../text.js";
import { keyOf, openPage, type PageCommandOptions, shownHead } from "./opening.js";
import { readable, textOf } from "./text.js";

export interface EntriesOptions extends PageCommandOptions {
  readonly prefix?: string | undefined;
  readonly from?: string | undefined;
  readonly limit?: number | undefined;
  readonly values?: boolean | undefined;
  /** Keys are given, and keys and values shown, as hex. */
  readonly hex?: boolean | undefined;
}

/** Entries that are printed as one table, so that a long page shows from its beginning. */
const TABLE_ROWS = 64;

/** Prints the entries of a page, with their values if `values` is set. Returns status 3 if a value is damaged. */
export async function entries(terminal: Terminal, folder: string, options: EntriesOptions): Promise<number> {
  const prefix = keyOf(options.prefix ?? "", options.hex, "--prefix");
  const after = keyOf(options.from ?? "", options.hex, "--from");
  const from = compareBytes(prefix, after) > 0 ? prefix : after;
  await using page = await openPage(terminal, folder, options);
  const head = await shownHead(terminal, page.view);
  let left = options.limit ?? Number.POSITIVE_INFINITY;
  let status = 0;
  for await (const run of entryRuns(page.view.objects, head.root, from)) {
    for (let at = 0; at < run.length && left > 0; at += TABLE_ROWS) {
      const shown = run
        .slice(at, at + Math.min(TABLE_ROWS, left))
        .filter(({ key }) => hasPrefix(key, prefix));
      if (!(await print(terminal, page.view, shown, options))) status = 3;
      left -= shown.length;
    }
    const last = run.at(-1);
    if (left <= 0 || (last !== undefined && !hasPrefix(last.key, prefix))) break;
  }
  return status;
}

/** @returns false if a value is damaged */
async function print(
  terminal: Terminal,
  view: PageView,
  shown: readonly TreeEntry[],
  options: EntriesOptions,
): Promise<boolean> {
  const cells: string[][] = [];
  let isWhole = true;
  for (const entry of shown) {
    const { key, priority } = entry;
    const { content, bytes, error } = await lookAt(view, entry, options.values);
    if (error !== undefined) {
      // Go on with the other entries.
      terminal.remark(`merostore: ${readable(key, options.hex)}: DATA_INTEGRITY_ERROR: ${error}`);
      isWhole = false;
    }
    if (asJson(terminal, options)) {
      const text = textOf(key);
      const values = options.values ? { value: content === undefined ? null : toHex(content) } : {};
      const names = { key: toHex(key), ...(text !== undefined && { text }) };
      await terminal.line(
        JSON.stringify({ ...names, size: bytes ?? null, priority, ...values, ...(error && { error }) }),
      );
      continue;
    }
    const absent = error === undefined ? "not here" : "damaged";
    const sizes = bytes === undefined ? absent : options.values ? count(bytes) : size(bytes);
    const values = content === undefined ? [] : [readable(content.subarray(0, SHOWN), options.hex)];
    cells.push([readable(key, options.hex), sizes, priority, ...values]);
  }
  for (const line of table(cells, [1]))
    await terminal.line(options.values ? clip(line, terminal.width) : line);
  return isWhole;
}

/** A value as far as it is printed: empty if it is not on this device, an error if it is damaged. */
interface ValueLook {
  readonly content?: Uint8Array | undefined;
  readonly bytes?: number | undefined;
  readonly error?: string;
}

async function lookAt(
  { objects }: PageView,
  entry: TreeEntry,
  isWanted: boolean | undefined,
): Promise<ValueLook> {
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
