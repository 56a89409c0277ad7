/** The order of sorted collections, which a node keeps beside the state and can build anew. */

import { IdTable } from "../../bytes/id-table.js";
import { equalBytes } from "../../bytes/order.js";
import { indexStateKey, mapEntryId } from "../../digests/index.js";
import { ContextState011, SortedIndex, SortedIndexMeta } from "../../keys/index.js";
import { type Core011, core011 } from "../../schemas/index.js";
import type { Broken } from "../finding.js";
import { on, onEach, type Rule } from "../rule.js";
import type { Tools } from "../tools.js";
import { type AnyIndex, indexes } from "./entities.js";

const sortedIndex: Rule = {
  name: "sorted-index",
  relations: [31],
  severity: "warning",
  says: "The order of a sorted collection, where it is marked as current, names each of its entries once.",
  means: "A sorted collection may list its entries in a wrong order, or leave some out.",
  advice:
    "Nothing needs to be restored: the node builds the order again after it receives a change of the collection.",
  checks: [
    on([core011], SortedIndexMeta, async function* (batches, tools) {
      for await (const rows of batches) {
        for (const [{ key, value: marker }, { value: bytes }] of await tools.join(
          rows,
          ({ key: { contextId, collectionId } }) =>
            new ContextState011({ contextId, stateKey: indexStateKey(collectionId) }),
        )) {
          const collection = bytes === undefined ? undefined : indexes.decode(bytes);
          // A collection that is gone leaves its mark, and another hash says that the order is to be built anew.
          if (collection === undefined || !equalBytes(collection.fullHash, marker)) continue;
          if (!isSorted(key, collection)) continue;
          tools.checked();
          yield* compare(key, collection, tools);
        }
      }
    }),
  ],
};

/**
 * Returns whether an entity is a sorted collection. Nodes mark the root of a context as well, which has no order.
 * Collections inside others may not say what they are.
 */
function isSorted({ contextId, collectionId }: SortedIndexMeta, { metadata }: AnyIndex): boolean {
  if (equalBytes(collectionId, contextId)) return false;
  const kind = metadata.crdtType?.kind;
  return kind === undefined || kind === "SortedMap" || kind === "SortedSet";
}

async function* compare(
  key: SortedIndexMeta,
  collection: AnyIndex,
  tools: Tools<Core011>,
): AsyncGenerator<Broken, void, undefined> {
  const children = new IdTable();
  for (const { id } of collection.children ?? []) children.add(id);
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
  checks: [
    onEach([core011], SortedIndex, function* ({ key, value: found }, tools) {
      tools.checked();
      const expected = mapEntryId(key.collectionId, key.orderKey);
      if (!equalBytes(found, expected))
        yield { key, message: "the entry in this place has another key", found, expected };
    }),
  ],
};

export const sortedIndexRules: readonly Rule[] = [sortedIndex, sortedKey];
