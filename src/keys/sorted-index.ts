/** Sorted collections of core-0.11. */
import { Column } from "../columns/index.js";
import { keyParts } from "./key-parts.js";
import { id32, tail } from "./part.js";
import { contextId, part } from "./parts.js";

const collectionId = part(id32("collectionId"));

/**
 * An entry of a collection. `context_id (32) ‖ collection_id (32) ‖ order_key (any length)`, from 64 bytes, in the
 * collection's order.
 */
export class SortedIndex extends keyParts(
  "SortedIndex",
  Column.SortedIndex,
  undefined,
  contextId,
  collectionId,
  part(tail("orderKey")),
) {}

/** A collection whose index is built. `context_id (32) ‖ collection_id (32)`, 64 bytes. */
export class SortedIndexMeta extends keyParts(
  "SortedIndexMeta",
  Column.SortedIndexMeta,
  undefined,
  contextId,
  collectionId,
) {}
