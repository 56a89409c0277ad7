/** The bytes of handles: ids, and in newer layouts the kind of the collection after each id of an entity. */
import { concatAll } from "../../bytes/concat.js";
import { Reader, ReadFailure } from "../../codec/index.js";
import { type CollectionType, handleParts } from "./type.js";

/** An entity in a handle. */
export interface HandleEntity {
  /** Its id, 32 bytes. */
  readonly id: Uint8Array;
  /** The kind of its collection; undefined if the handle does not contain it. */
  readonly tag: string | undefined;
  /** The bytes of both in the handle: a handle of its own. */
  readonly bytes: Uint8Array;
}

/** Kinds of collections by their tag. Other tags do not belong to collections. */
const TAGS: ReadonlyMap<number, string> = new Map([
  [0x81, "GCounter"],
  [0x82, "PnCounter"],
  [0x83, "Rga"],
  [0x84, "UnorderedMap"],
  [0x85, "SortedMap"],
  [0x86, "UnorderedSet"],
  [0x87, "SortedSet"],
  [0x88, "Vector"],
  [0x89, "UserStorage"],
  [0x8a, "FrozenStorage"],
  [0x8b, "SharedStorage"],
  [0x8f, "FugueText"],
]);

const KINDS: ReadonlySet<string> = new Set(TAGS.values());

/** Returns true if a merge rule belongs to a collection. */
export function isCollectionKind(kind: string): boolean {
  return KINDS.has(kind);
}

/** Reads a handle at the cursor: its entities, in their order. */
export function readHandle(type: CollectionType, reader: Reader): readonly HandleEntity[] {
  const entities: HandleEntity[] = [];
  for (const part of handleParts(type)) {
    if (part === "flag") {
      if (reader.u8() > 1) throw reader.fail("00 or 01", "another byte");
    } else {
      const start = reader.at;
      const id = reader.take(32);
      if (part !== "entity") continue;
      const tag = type.isTagged ? readTag(reader) : undefined;
      entities.push({ id, tag, bytes: reader.bytes.subarray(start, reader.at) });
    }
  }
  return entities;
}

function readTag(reader: Reader): string | undefined {
  const option = reader.u8();
  if (option === 0) return undefined;
  if (option > 1) throw reader.fail("00 or 01", "another byte");
  const tag = TAGS.get(reader.u8());
  if (tag === undefined) throw reader.fail("the kind of a collection", "another byte");
  return tag;
}

/** The bytes of a handle with these ids of entities, 32 bytes each. Its other parts are zeros. */
export function handleBytes(type: CollectionType, ids: readonly Uint8Array[]): Uint8Array {
  const left = [...ids];
  const parts = handleParts(type).flatMap((part) => {
    if (part === "flag") return [new Uint8Array(1)];
    if (part === "place") return [new Uint8Array(32)];
    return [left.shift() ?? new Uint8Array(32), new Uint8Array(type.isTagged ? 1 : 0)];
  });
  return concatAll(parts);
}

/** A handle in bytes: its entities, and the offset after it. */
export interface FoundHandle {
  /** The entities, in their order. */
  readonly entities: readonly HandleEntity[];
  /** Offset of the byte after it. */
  readonly end: number;
}

/** The handle at an offset; undefined if the bytes are no handle. */
export function handleAt(type: CollectionType, bytes: Uint8Array, at: number): FoundHandle | undefined {
  const reader = new Reader(bytes);
  reader.at = at;
  try {
    const entities = readHandle(type, reader);
    return { entities, end: reader.at };
  } catch (error) {
    if (error instanceof ReadFailure) return undefined;
    throw error;
  }
}

/**
 * Returns true if the kind in a handle fits a collection of a type. Wrappers have their own kind, or the kind of the
 * map inside.
 */
export function fitsTag(type: CollectionType, tag: string): boolean {
  switch (type.kind) {
    case "map":
      return tag === (type.sorted ? "SortedMap" : "UnorderedMap") || (type.authored && tag === "UserStorage");
    case "set":
      return tag === (type.sorted ? "SortedSet" : "UnorderedSet");
    case "vector":
      return tag === "Vector" || (type.authored && tag === "UserStorage");
    case "counter":
      return tag === "UnorderedMap" || tag === (type.signed ? "PnCounter" : "GCounter");
    case "sequence":
      return tag === (type.hasRuns ? "FugueText" : "Rga") || tag === "UnorderedMap";
    case "user":
      return tag === "UserStorage" || tag === "UnorderedMap";
    case "frozen":
      return tag === "FrozenStorage" || tag === "UnorderedMap";
    default:
      return tag === "SharedStorage";
  }
}
