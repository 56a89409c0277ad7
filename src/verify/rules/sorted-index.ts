/** The order of sorted collections, which a node keeps beside the state and can rebuild. */

import { IdTable } from "../../bytes/id-table.js";
import { equalBytes } from "../../bytes/order.js";
import { mapEntryId } from "../../digests/index.js";
import { type AnyKey, type ContextState011, SortedIndex, SortedIndexMeta } from "../../keys/index.js";
import { Pause } from "../../pause.js";
import type { Core011 } from "../../schemas/index.js";
import type { RowFinding } from "../finding.js";
import { type GoodRow, type KindCheck, on, onEach, type Rule } from "../rule.js";
import type { Tools } from "../tools.js";
import type { CollectionRecord, FindRows, StateLayout } from "./state-layout.js";
import { stateLayouts } from "./state-layouts.js";

const sortedIndex: Rule = {
  name: "sorted-index",
  relations: [31],
  severity: "warning",
  says: "The order of a sorted collection, where it is marked as current, names each of its entries once.",
  means: "A sorted collection may list its entries in a wrong order, or leave some out.",
  advice:
    "Nothing needs to be restored: the node builds the order again after it receives a change of the collection.",
  checks: stateLayouts.flatMap((layout) => orderCheck(layout) ?? []),
};

/** The check of the orders of collections, for a layout of State. */
export function orderCheck(layout: StateLayout): KindCheck | undefined {
  const { order, revisions } = layout;
  if (order === undefined) return undefined;
  return on(revisions as readonly Core011[], SortedIndexMeta, async function* (batches, tools) {
    const find: FindRows = (keys) => tools.find(keys as readonly ContextState011[]);
    for await (const rows of batches) {
      const keys = rows.map(({ key: { contextId, collectionId } }) =>
        layout.indexKey(contextId, collectionId),
      );
      for (const [at, { value: bytes }] of (await find(keys)).entries()) {
        const { key, value } = rows[at] as GoodRow<SortedIndexMeta, Uint8Array>;
        const marked = order.hashInMark(value);
        const collection = bytes && order.collectionIn(keys[at] as AnyKey, bytes);
        // A deleted collection leaves its mark behind. If the mark has another hash, the node will rebuild the order.
        if (marked === undefined || collection === undefined || !equalBytes(collection.fullHash, marked))
          continue;
        if (!isSorted(key, collection)) continue;
        tools.checked();
        yield* compare(key, collection, tools, find);
      }
    }
  });
}

/**
 * Returns whether an entity is a sorted collection. Nodes mark the root of a context as well, which has no order.
 * Collections inside other collections may not state their kind.
 */
function isSorted({ contextId, collectionId }: SortedIndexMeta, { kind }: CollectionRecord): boolean {
  if (equalBytes(collectionId, contextId)) return false;
  return kind === undefined || kind === "SortedMap" || kind === "SortedSet";
}

async function* compare(
  key: SortedIndexMeta,
  collection: CollectionRecord,
  tools: Tools<Core011>,
  find: FindRows,
): AsyncGenerator<RowFinding, void, undefined> {
  const children = new IdTable();
  const pause = new Pause();
  for await (const ids of collection.children(find)) {
    for (const id of ids) children.add(id);
    await pause.ifLong();
  }
  const sorted = new IdTable();
  for await (const rows of tools.scan(
    SortedIndex.range({ contextId: key.contextId, collectionId: key.collectionId }),
  )) {
    for (const { key: at, value: id } of rows) {
      if (!children.has(id)) yield { key: at, message: "the collection has no such entry", found: id };
      else if (sorted.has(id))
        yield { key: at, message: "the entry has another place in the order too", found: id };
      else sorted.add(id);
    }
  }
  if (sorted.size < children.size) {
    const message = "entries of the collection have no place in the order, which is marked as current";
    yield { key, message, found: sorted.size, expected: children.size };
  }
}

const sortedKey: Rule = {
  name: "sorted-key",
  relations: [31],
  severity: "error",
  says: "Each place in the order of a sorted collection has the entry of that key: its id is the hash of the key.",
  means: "A sorted collection lists an entry in a wrong place, or finds another entry under the key.",
  advice:
    "Let the node receive a change of the collection: it then builds the order again. If the finding stays, restore a copy that verifies.",
  checks: stateLayouts.flatMap((layout) => placeCheck(layout) ?? []),
};

/** The check of the places in the orders of collections, for a layout of State. */
export function placeCheck({ order, revisions }: StateLayout): KindCheck | undefined {
  if (order === undefined) return undefined;
  return onEach(revisions as readonly Core011[], SortedIndex, function* ({ key, value: found }, tools) {
    tools.checked();
    if (order.isPlaceOf(key.collectionId, key.orderKey, found)) return;
    const expected = mapEntryId(key.collectionId, key.orderKey);
    yield { key, message: "the entry in this place has another key", found, expected };
  });
}

export const sortedIndexRules: readonly Rule[] = [sortedIndex, sortedKey];
