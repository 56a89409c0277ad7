/** All entries of a large collection, in the order of their rows. */
import { copyBytes } from "../../bytes/bytes.js";
import { IdTable } from "../../bytes/id-table.js";
import { Pause } from "../../pause.js";
import type { EntityRows } from "../entity-rows.js";
import type { Children, EntityData, Parent } from "../layouts/layout.js";

/** Entries of a page. */
const PAGE = 256;
/** The most rows that are read for each entry: a lookup by key takes as long. */
const MOST_ROWS = 32;
/** Ids between two looks at the clock. */
const MANY = 4096;

/** Entities and, in the same order, their data; undefined for an entity without data. */
export interface EntryPage {
  readonly ids: readonly Uint8Array[];
  readonly data: readonly EntityData[];
}

/**
 * The entries of a collection, each once, in any order. Keys are hashes, so a million lookups read a million blocks.
 * Instead, this reads all rows of the context in key order, and skips the rows of other collections. It looks up the
 * entries that are still missing by their keys. Takes about 50 bytes for each entry.
 */
export async function* entriesInAnyOrder(
  rows: EntityRows,
  parent: Parent & { readonly children: Children },
): AsyncGenerator<EntryPage, void, undefined> {
  const pause = new Pause();
  const wanted = new IdTable();
  for (const id of parent.children.ids()) if (wanted.add(id) % MANY === 0) await pause.ifLong();
  const found = new Uint8Array(wanted.size);
  let [ids, data]: [Uint8Array[], EntityData[]] = [[], []];
  let left = MOST_ROWS * wanted.size;
  for await (const chunk of rows.inOrder()) {
    await pause.ifLong();
    for (const row of chunk) {
      const id = rows.entities.entityIn(row);
      const number = id === undefined ? -1 : wanted.find(id);
      if (id === undefined || number < 0 || found[number] === 1) continue;
      const one = rows.entities.dataIn(row, id, parent);
      if (one === undefined) continue;
      found[number] = 1;
      ids.push(id);
      data.push(one);
    }
    if (ids.length >= PAGE) {
      yield { ids, data };
      [ids, data] = [[], []];
    }
    left -= chunk.length;
    if (left < 0) break;
  }
  if (ids.length > 0) yield { ids, data };
  let missing: Uint8Array[] = [];
  for (let number = 0; number < found.length; number++) {
    if (found[number] === 1) continue;
    missing.push(copyBytes(wanted.at(number)));
    if (missing.length < PAGE) continue;
    yield { ids: missing, data: await rows.data(parent, missing) };
    missing = [];
  }
  if (missing.length > 0) yield { ids: missing, data: await rows.data(parent, missing) };
}
