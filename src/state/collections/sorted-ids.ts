/** The entries of a collection in the order of their keys. */

import { compareBytes } from "../../bytes/order.js";
import { slices } from "../../collections/lists.js";
import { sorted } from "../../collections/sort.js";
import { Pause } from "../../pause.js";
import type { Children, EntityData, Parent } from "../layouts/layout.js";
import { findKey } from "./entry-key.js";
import { findLastKeys, tailOf } from "./last-key.js";
import type { Opened } from "./open-collection.js";
import type { Scope } from "./scope.js";

/** Entries that are read at a time. */
const PAGE = 256;

/**
 * Ids in pages, in the order of the keys, from a key on. Reads all entries if the database has no order of the
 * collection.
 */
export async function* sortedIds(
  scope: Scope,
  collection: Uint8Array,
  opened: Opened,
  children: () => Promise<Children>,
  from: Uint8Array | undefined,
  prefix: Uint8Array | undefined,
  limit: number,
): AsyncGenerator<Uint8Array[], void, undefined> {
  const kept = opened.row && (await scope.sortedIds(opened.row, from));
  if (kept !== undefined) {
    for await (const page of kept) yield [...page];
    return;
  }
  let found: { readonly content: Uint8Array; readonly id: Uint8Array }[] = [];
  const trim = async (): Promise<void> => {
    found = (await sorted(found, (a, b) => compareBytes(a.content, b.content))).slice(0, limit);
  };
  const pause = new Pause();
  for await (const { ids, data } of pages(scope, { row: opened.row, children: await children() })) {
    await pause.ifLong();
    for (const [at, id] of ids.entries()) {
      const content = contentOf(scope, collection, id, data[at], opened) ?? new Uint8Array(0);
      if (from !== undefined && compareBytes(content, from) < 0) continue;
      if (prefix !== undefined && compareBytes(content.subarray(0, prefix.length), prefix) !== 0) continue;
      found.push({ content: new Uint8Array(content), id });
    }
    // Not more than the caller wants is kept.
    if (found.length > 2 * limit + PAGE) await trim();
  }
  await trim();
  for (const page of slices(found, PAGE)) yield page.map(({ id }) => id);
}

/** The bytes of the key of an entry; undefined if they are not found. */
function contentOf(
  scope: Scope,
  collection: Uint8Array,
  id: Uint8Array,
  data: EntityData,
  { key }: Opened,
): Uint8Array | undefined {
  const tail = data instanceof Uint8Array ? tailOf(data, id) : undefined;
  if (tail === undefined) return undefined;
  return scope.types.forms.isValueFirst
    ? findLastKeys(collection, id, tail, key)[0]?.content
    : findKey(collection, id, tail.body, key)?.content;
}

async function* pages(scope: Scope, parent: Parent & { readonly children: Children }) {
  for (const ids of slices(parent.children.ids(), PAGE))
    yield { ids, data: await scope.rows.data(parent, ids) };
}
