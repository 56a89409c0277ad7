/** The storage of collections: their names, and their types in index rows. */

import type { CrdtType010, CrdtType011 } from "../../payloads/index.js";
import type { AnyCrdtType, IndexRow } from "../index-row.js";
import { problem, type StateProblem } from "../problem.js";
import type { TypeTable } from "../types/from-manifest.js";
import { fitsTag, isCollectionKind } from "../types/handle-form.js";
import { contradiction, refined } from "../types/refine.js";
import type { CollectionType, Type } from "../types/type.js";
import { typeName } from "../types/type-name.js";
import { UNSAID } from "../types/unsaid.js";
import { BYTE_STRING } from "./entry-key.js";
import { typeOfKind } from "./tagged-type.js";

/** The name that the storage library keeps for a collection that is a field of the state. */
export function storedName(type: CollectionType, field: string): string {
  switch (type.kind) {
    case "map":
      return type.authored ? `__authored_${type.sorted ? "sorted_" : ""}map_${field}` : field;
    case "vector":
      return type.authored ? `__authored_vector_${field}` : field;
    case "counter":
      return `__counter_internal_${field}_positive`;
    case "user":
      return `__user_storage_${field}`;
    case "frozen":
      return `__frozen_storage_${field}`;
    default:
      return field;
  }
}

/** Returns the stored name of a counter's subtractions, given the name of its additions. */
export function negativeName(stored: string): string {
  return stored.replace(/_positive$/, "_negative");
}

/** The prefixes of wrappers. */
const WRAPPER =
  /^__(?:user_storage|frozen_storage|authored_map|authored_sorted_map|authored_vector|write_once|moderated|moderated_once)_/;

/**
 * Returns true if a collection that is a field may have a stored name: entries that are written once have a wrapper of their
 * own.
 */
export function isStoredName(type: CollectionType, field: string, stored: string): boolean {
  if (stored === storedName(type, field)) return true;
  return type.kind === "map" && type.authored && stored === `__write_once_${field}`;
}

/** The name of the field of a stored name: without the prefix and the suffix of its kind. */
export function plainName(name: string): string {
  const counter = /^__counter_internal_(.*)_(?:positive|negative)$/s.exec(name);
  return counter?.[1] ?? name.replace(WRAPPER, "");
}

/** Names of maps in texts with marks and in documents. */
const MAPS_OF_TEXTS = ["__rich_marks", "__doc_blocks", "__block_props", "__block_attrs"];

/** Returns true if a collection inside another's entry may have a stored name. */
export function isNestedName(type: CollectionType, stored: string): boolean {
  if (type.named !== undefined) return stored.includes(type.named);
  if (type.kind === "map" && !type.sorted && MAPS_OF_TEXTS.includes(stored)) return true;
  const expected = nestedName(type);
  return expected === undefined || stored === expected || !stored.startsWith("__");
}

/** The name that the storage library keeps, since core-0.11, for a collection inside another's entry. */
export function nestedName(type: CollectionType): string | undefined {
  switch (type.kind) {
    case "map":
      return type.sorted ? "__nested_sorted_map" : "__nested_map";
    case "set":
      return type.sorted ? "__sorted_set" : "__set";
    case "vector":
      return "__vector";
    case "sequence":
      return type.hasRuns ? "__fugue_blocks" : "__rga_chars";
    case "counter":
      return "__counter_positive";
    case "user":
    case "frozen":
      return "__nested_map";
    default:
      return undefined;
  }
}

/** The types of a collection's content. */
export interface Contents {
  /** The type of the keys; undefined if keys are found by their entries' ids, or the collection has no keys. */
  readonly key: Type | undefined;
  /** The type of the values, elements or items. */
  readonly item: Type;
}

const ID: Type = { kind: "bytes", size: 32 };
const U64: Type = { kind: "u64" };
const TEXT: Type = { kind: "text" };

/** The types of a collection's content, from its own type alone. */
export function contentsOf(type: CollectionType): Contents {
  switch (type.kind) {
    case "map":
      return { key: type.key, item: type.value };
    case "set":
    case "vector":
      return { key: undefined, item: type.item };
    case "counter":
      return { key: TEXT, item: U64 };
    case "user":
    case "frozen":
      return { key: ID, item: type.value };
    case "shared":
      return { key: undefined, item: type.value };
    default:
      return { key: undefined, item: { kind: "unit" } };
  }
}

/** The type of a collection as its index row states it; undefined if the row states none. */
export function typeOfRow(
  crdtType: AnyCrdtType | null,
  name: string | null,
  types: TypeTable,
): CollectionType | undefined {
  if (types.forms.hasTags) return typeOfKind(crdtType?.kind, name, types.forms);
  const named = crdtType as CrdtType010 | CrdtType011 | null;
  switch (named?.kind) {
    case "UnorderedMap":
    case "SortedMap":
      return mapOfRow(named, name, types);
    case "UnorderedSet":
    case "SortedSet":
      return { kind: "set", sorted: named.kind === "SortedSet", item: types.rust(named.elementType) };
    case "Vector":
      return {
        kind: "vector",
        authored: name?.startsWith("__authored_vector_") ?? false,
        item: types.rust(named.elementType),
      };
    case "GCounter":
      return { kind: "counter", signed: false };
    case "PnCounter":
      return { kind: "counter", signed: true };
    case "Rga":
      return { kind: "sequence", hasRuns: false };
    case "SharedStorage":
      return { kind: "shared", value: UNSAID };
    default:
      return undefined;
  }
}

/** Several kinds of collections are stored as maps. Names tell them apart. */
function mapOfRow(
  crdtType: (CrdtType010 | CrdtType011) & { readonly kind: "UnorderedMap" | "SortedMap" },
  name: string | null,
  types: TypeTable,
): CollectionType {
  const [key, value] = [types.rust(crdtType.keyType), types.rust(crdtType.valueType)];
  if (name?.startsWith("__user_storage_")) return { kind: "user", value };
  if (name?.startsWith("__frozen_storage_")) return { kind: "frozen", value };
  if (name !== null && /^__counter_(?:internal_.*_)?(?:positive|negative)$/s.test(name))
    return { kind: "counter", signed: false };
  if (crdtType.keyType.endsWith("::rga::CharKey")) return { kind: "sequence", hasRuns: false };
  return {
    kind: "map",
    sorted: crdtType.kind === "SortedMap",
    authored: name?.startsWith("__authored_map_") ?? false,
    key,
    value,
  };
}

/**
 * The types of a collection's content: as the row states them, with the application's own types from the manifest.
 *
 * @returns a problem if the row contradicts the type
 */
export function contentsByRow(
  type: CollectionType,
  row: IndexRow,
  types: TypeTable,
  path: string,
): Contents | StateProblem {
  const { crdtType, fieldName } = row.metadata;
  if (types.forms.hasTags) {
    if (crdtType === null || !isCollectionKind(crdtType.kind) || fitsTag(type, crdtType.kind))
      return contentsOf(type);
    const message = `the row says ${crdtType.kind} instead of ${typeName(type)}`;
    return problem("CrdtTypeMismatch", path, message);
  }
  const said = typeOfRow(crdtType, fieldName, types);
  if (said === undefined) return contentsOf(type);
  const stored = asStored(type, said);
  const wrong = stored === undefined ? undefined : contradiction(stored, said);
  if (wrong !== undefined) return problem("CrdtTypeMismatch", path, `the row says ${wrong}`);
  if (stored === undefined)
    return problem("CrdtTypeMismatch", path, `the row says ${typeName(said)} instead of ${typeName(type)}`);
  const [mine, theirs] = [contentsOf(stored), contentsOf(said)];
  return {
    key: mine.key === BYTE_STRING ? mine.key : (theirs.key ?? mine.key),
    item: mine.item === BYTE_STRING ? mine.item : refined(mine.item, theirs.item),
  };
}

/** A type in the form that rows use; undefined if a row of this kind cannot state it. */
function asStored(type: CollectionType, said: CollectionType): CollectionType | undefined {
  // A counter has two rows, and only one of them may state that it is signed.
  if (type.kind === "counter") return said.kind === "counter" || isCounterMap(said) ? said : undefined;
  // Inside other entries these have no name of their own: they are maps.
  if ((type.kind === "user" || type.kind === "frozen") && said.kind === "map" && !said.sorted)
    return { kind: "map", sorted: false, authored: false, key: ID, value: type.value };
  if ((type.kind === "map" || type.kind === "vector") && type.authored && said.kind === type.kind)
    return { ...type, authored: said.authored } as CollectionType;
  return type;
}

function isCounterMap(said: CollectionType): boolean {
  return said.kind === "map" && said.key?.kind === "text" && said.value.kind === "u64";
}
