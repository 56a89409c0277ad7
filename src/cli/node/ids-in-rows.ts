/** Finds whole ids by their first digits in the rows: entities, hashes and keys that no table lists. */
import { toHex } from "../../bytes/hex.js";
import { MerostoreError } from "../../errors.js";
import { hexRange, placesIn, typedBytes } from "../../node/index.js";
import type { Terminal } from "../output/terminal.js";
import { type RowOptions, rowForm, withPrivateEntities } from "../rows/rows.js";
import type { OpenNode } from "./options.js";

const encoder = new TextEncoder();

/** Hex digits of an id. */
const DIGITS = 64;
/** The most examined rows. */
const LOOKED_INTO = 2_000;
/** The most ids in a message. */
const LISTED = 10;

/**
 * The only id in the rows that begins with the typed digits; undefined if none does. Reads every row once.
 *
 * @throws MerostoreError `AMBIGUOUS_NAME`, with the ids, if several do
 */
export async function idInRows(
  terminal: Terminal,
  { store, node }: OpenNode,
  typed: string,
): Promise<string | undefined> {
  const range = hexRange(typed);
  const bytes = typedBytes(typed);
  if (range === undefined || bytes.length === 0) return undefined;
  const found = new Set<string>();
  let [looked, options]: [number, RowOptions] = [0, { json: true }];
  using progress = terminal.progress("show");
  for await (const { column, row } of node.find(typed, { onProgress: progress.show })) {
    if (++looked > LOOKED_INTO || found.size > LISTED) break;
    options = await withPrivateEntities(store, column, options);
    const form = rowForm(store.schema, column, row, options);
    for (const { text } of placesIn(form, { ids: [], texts: [], bytes })) {
      // Bytes that happen to be text are shown as text.
      const id = /^[0-9a-f]{64}$/.test(text) ? text : toHex(encoder.encode(text));
      if (id.length === DIGITS && id >= range.from && id <= range.last) found.add(id);
    }
  }
  const [id, ...others] = found;
  if (others.length === 0) return id;
  const listed = [...found].slice(0, LISTED).join(", ");
  const more = found.size > LISTED ? " and others" : "";
  throw new MerostoreError("AMBIGUOUS_NAME", `${typed} can be the beginning of ${listed}${more}`);
}
