/** The entries of a collection in the order of their keys. */
import { compareBytes } from "../../bytes/order.js";
import { Pause } from "../../pause.js";
import type { Opened } from "./collection.js";
import { findKey } from "./entry-key.js";
import type { Scope } from "./scope.js";
import { sorted } from "./sort.js";

/** Entries that are read at a time. */
const PAGE = 256;

/** Ids in pages, in the order of the keys, from a key on. Reads all entries where the database keeps no order. */
export async function* sortedIds(
  scope: Scope,
  collection: Uint8Array,
  opened: Opened,
  from: Uint8Array | undefined,
  prefix: Uint8Array | undefined,
  limit: number,
): AsyncGenerator<Uint8Array[], void, undefined> {
  const kept = await scope.sortedIds(opened.row, from);
  if (kept !== undefined) {
    for await (const page of kept) yield [...page];
    return;
  }
  let found: { readonly content: Uint8Array; readonly id: Uint8Array }[] = [];
  const trim = async (): Promise<void> => {
    found = (await sorted(found, (a, b) => compareBytes(a.content, b.content))).slice(0, limit);
  };
  const pause = new Pause();
  for await (const { ids, data } of pages(scope, opened)) {
    await pause.ifLong();
    for (const [at, id] of ids.entries()) {
      const bytes = data[at];
      const body = bytes?.subarray(0, Math.max(0, bytes.length - 32));
      const content = (body && findKey(collection, id, body, opened.key)?.content) ?? new Uint8Array(0);
      if (from !== undefined && compareBytes(content, from) < 0) continue;
      if (prefix !== undefined && compareBytes(content.subarray(0, prefix.length), prefix) !== 0) continue;
      found.push({ content: new Uint8Array(content), id });
    }
    // Not more than the caller wants is kept.
    if (found.length > 2 * limit + PAGE) await trim();
  }
  await trim();
  for (let at = 0; at < found.length; at += PAGE) yield found.slice(at, at + PAGE).map(({ id }) => id);
}

async function* pages(scope: Scope, opened: Opened) {
  let ids: Uint8Array[] = [];
  for (const id of opened.row.children.ids()) {
    ids.push(id);
    if (ids.length < PAGE) continue;
    yield { ids, data: await scope.rows.entries(ids) };
    ids = [];
  }
  if (ids.length > 0) yield { ids, data: await scope.rows.entries(ids) };
}
