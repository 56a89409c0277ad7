/** Opening of collections: their index record is found and checked. */
import { toHex } from "../../bytes/hex.js";
import { equalBytes } from "../../bytes/order.js";
import { collectionId } from "../../digests/index.js";
import type { IndexRow } from "../index-row.js";
import { problem, type StateProblem } from "../problem.js";
import type { CollectionType } from "../types/type.js";
import type { Handle } from "../types/values.js";
import {
  type Contents,
  contentsByRow,
  contentsOf,
  isNestedName,
  isStoredName,
  plainName,
  storedName,
} from "./layout.js";
import type { Owners, Scope } from "./scope.js";

/** Collections inside each other: no program nests more. */
const DEEPEST = 128;

/** The place of a collection. */
export interface CollectionPlace {
  /** The path of the collection. */
  readonly path: string;
  /** The field of the state that it is; undefined inside other collections. */
  readonly field: string | undefined;
  /** The collections around it. */
  readonly owners: Owners;
  /** Present if it is the subtracted half of a counter. */
  readonly half?: "negative";
}

/** A collection that was found and checked. */
export interface Opened extends Contents {
  /** Its index record; undefined for an empty collection without a record. */
  readonly row: IndexRow | undefined;
}

/** Finds the index record of a collection. Returns a problem if something contradicts the record. */
export async function openCollection(
  scope: Scope,
  id: Uint8Array,
  handle: Handle,
  place: CollectionPlace,
): Promise<Opened | StateProblem> {
  const { path, owners } = place;
  const { type } = handle;
  if (owners.length >= DEEPEST)
    return problem("NestedTooDeeply", path, `it is inside ${DEEPEST} other collections`);
  if (owners.includes(toHex(id))) return problem("EntityCycle", path, "the collection is inside itself");
  const { rows } = scope;
  const row = await rows.index(id);
  if (row === undefined && mayBeUnwritten(id, handle, place) && (await rows.entities.isUnwritten(id)))
    return { row, ...contentsOf(type) };
  if (row === undefined || row.deletedAt !== null) {
    const why = row === undefined ? "is not there" : "was deleted";
    return problem("CollectionMissing", path, `the collection ${toHex(id)} ${why}`);
  }
  const wrongName = checkName(type, row, place);
  if (wrongName !== undefined) return problem("CollectionIdMismatch", path, wrongName);
  const contradiction = await rows.entities.contradiction(row);
  if (contradiction !== undefined) return problem("TreeMismatch", path, contradiction);
  const contents = contentsByRow(type, row, scope.types, path);
  return "message" in contents ? contents : { row, ...contents };
}

/** Returns true if an id without a row may belong to an empty collection: its handle or its name shows this. */
function mayBeUnwritten(id: Uint8Array, { type, tag }: Handle, { field }: CollectionPlace): boolean {
  if (tag !== undefined) return true;
  return field !== undefined && equalBytes(id, collectionId(storedName(type, field)));
}

function checkName(
  type: CollectionType,
  { metadata }: IndexRow,
  { field, half }: CollectionPlace,
): string | undefined {
  const stored = metadata.fieldName;
  if (stored === null || half !== undefined) return undefined;
  if (field === undefined)
    return isNestedName(type, stored) ? undefined : `the collection is stored as ${plainName(stored)}`;
  if (isStoredName(type, field, stored)) return undefined;
  return `the collection is not that of the field ${field}, but of ${plainName(stored)}`;
}
