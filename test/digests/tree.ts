/** The tree of a context's state, recomputed row by row. */
import { toHex } from "../../src/bytes/hex.js";
import { equalBytes } from "../../src/bytes/order.js";
import { type Codec, identity, u32 } from "../../src/codec/index.js";
import * as digest from "../../src/digests/index.js";
import * as key from "../../src/keys/index.js";
import type { EntityIndex010, EntityIndex011 } from "../../src/payloads/index.js";
import * as value from "../../src/values/index.js";
import type { Rows, Tally } from "./rows.js";

/** Counts index rows, the hashes that they should have, and the ids that follow from names. */
export function countTree<T extends EntityIndex010 | EntityIndex011>(
  rows: Rows,
  tally: Tally,
  codec: Codec<T>,
  fullHash: (index: T) => Uint8Array,
): void {
  const values = new Map<string, Uint8Array>();
  const indexes = new Map<string, T>();
  const place = (context: Uint8Array, rest: Uint8Array) => toHex(context) + toHex(rest);
  for (const { key: at, value: bytes } of rows.of(key.ContextState011, identity)) {
    values.set(place(at.contextId, at.stateKey), bytes);
    const index = decodeIndex(codec, bytes);
    if (index === undefined || !equalBytes(digest.indexStateKey(index.id), at.stateKey)) continue;
    indexes.set(place(at.contextId, index.id), index);
  }
  for (const [at, index] of indexes) {
    const context = at.slice(0, 64);
    const entry = values.get(context + toHex(digest.entryStateKey(index.id)));
    if (entry === undefined) tally.check(index.deletedAt === null ? "index without entry" : "tombstone");
    else tally.check("own hash", equalBytes(digest.ownHash(entry), index.ownHash));
    if (index.deletedAt === null) tally.check("full hash", equalBytes(fullHash(index), index.fullHash));
    const { fieldName } = index.metadata;
    if (fieldName !== null) tally.check(`id of ${nameOf(fieldName, index.id, at, indexes)}`);
    if (entry !== undefined && index.parentId !== null) {
      const kind = keyOf(entry, index.parentId, index.id);
      if (kind !== undefined) tally.check(`map entry id by its ${kind}`);
    }
    if (indexes.has(context + toHex(digest.rotationLogId(index.id)))) tally.check("id of a rotation log");
    for (const child of index.children ?? []) {
      const known = indexes.get(context + toHex(child.id));
      if (known === undefined) tally.check("child without index");
      else tally.check("child hash", equalBytes(known.fullHash, child.merkleHash));
    }
  }
  for (const { key: at, value: meta } of rows.of(key.ContextMeta, value.ContextMetaValue)) {
    const root = indexes.get(place(at.contextId, at.contextId));
    if (root === undefined) tally.check("context without state");
    else if (meta.rootHash.every((byte) => byte === 0)) tally.check("unfinished context");
    else tally.check("root hash", equalBytes(root.fullHash, meta.rootHash));
    if (indexes.has(place(at.contextId, digest.applicationStateId()))) tally.check("application state");
  }
}

/** The name of a named entity by its id: the application's state, a field of it, or a collection inside an entry. */
function nameOf(
  name: string,
  id: Uint8Array,
  at: string,
  indexes: ReadonlyMap<string, { readonly id: Uint8Array }>,
): string {
  if (equalBytes(id, digest.applicationStateId())) return "the application's state";
  if (equalBytes(id, digest.collectionId(name))) return "a collection";
  for (const [place, index] of indexes) {
    const here = place.startsWith(at.slice(0, 64));
    if (here && equalBytes(id, digest.collectionId(name, index.id))) return "a collection in an entry";
  }
  return "a collection in an entry that is gone";
}

/** The kind of key that a map's entry begins with; undefined if its id does not follow from a key. */
function keyOf(entry: Uint8Array, parent: Uint8Array, id: Uint8Array): string | undefined {
  const named = (name: Uint8Array) => equalBytes(digest.mapEntryId(parent, name), id);
  if (named(entry.subarray(0, 32))) return "32 bytes";
  if (entry.length < 4) return undefined;
  const length = u32.decode(entry.subarray(0, 4));
  return named(entry.subarray(4, 4 + length)) ? "text" : undefined;
}

function decodeIndex<T>(codec: Codec<T>, bytes: Uint8Array): T | undefined {
  try {
    return codec.decode(bytes);
  } catch {
    return undefined;
  }
}
