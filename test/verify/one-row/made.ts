/** Contexts of core-1.0 made of entities, for changes that the fixture lacks. */

import { concat } from "../../../src/bytes/concat.js";
import { toHex } from "../../../src/bytes/hex.js";
import { sha256 } from "../../../src/crypto/index.js";
import { childTrie, fullHash, ownHash } from "../../../src/digests/index.js";
import { childTrieKey, type EntityIndex, entityKey, entityRow } from "../../../src/layouts/index.js";
import type { StorageType } from "../../../src/payloads/index.js";

/** An entity before it has hashes. */
export interface Made {
  readonly id: Uint8Array;
  readonly parent: Uint8Array | null;
  /** The data without the entity's id; null for a deleted entity. */
  readonly data: Uint8Array | null;
  readonly storageType?: StorageType;
  readonly deletedChildren?: readonly Uint8Array[];
}

/** An id that is different for each text. */
export const idOf = (text: string): Uint8Array => sha256(new TextEncoder().encode(text));

export const contextId = idOf("context");

/** Rows by key, in hex, and the root hash. */
export interface MadeContext {
  readonly rows: Map<string, string>;
  readonly rootHash: string;
  readonly indexes: ReadonlyMap<string, EntityIndex>;
}

/** The key of a state key in the context. */
export const keyIn = (stateKey: Uint8Array): string => toHex(concat(contextId, stateKey));

/** The rows of entities, given with parents first. */
export function made(entities: readonly Made[]): MadeContext {
  const rows = new Map<string, string>();
  const indexes = new Map<string, EntityIndex>();
  const below = new Map<string, EntityIndex[]>();
  for (const [at, { id, parent, data, storageType, deletedChildren = [] }] of [
    ...entities.entries(),
  ].reverse()) {
    const isDeleted = data === null;
    const whole = isDeleted ? null : concat(data, id);
    const own = whole === null ? new Uint8Array(32) : ownHash(whole);
    const children = below.get(toHex(id)) ?? [];
    const next = children.reduce((most, { metadata: { order } }) => (order >= most ? order + 1n : most), 1n);
    const trie = childTrie(
      id,
      children.map((child) => ({ id: child.id, fullHash: child.fullHash })),
      next,
    );
    if (children.length > 0)
      for (const { address, value } of trie.rows) rows.set(keyIn(childTrieKey(address)), toHex(value));
    const time = 1_790_000_000_000_000_000n + BigInt(at);
    const index: EntityIndex = {
      id,
      parentId: parent,
      ownHash: own,
      fullHash: children.length === 0 ? fullHash(own) : fullHash(own, trie.root),
      metadata: {
        createdAt: time,
        updatedAt: isDeleted ? time + 1n : time,
        storageType: storageType ?? { kind: "Public" },
        crdtType: null,
        fieldName: null,
        schemaVersion: null,
        order: BigInt(at),
      },
      deletedAt: isDeleted ? time + 1n : null,
      deletedChildren: [...deletedChildren],
    };
    indexes.set(toHex(id), index);
    rows.set(keyIn(entityKey(id)), toHex(entityRow(id).encode({ index, verbatim: null, data: whole })));
    if (parent === null || isDeleted) continue;
    const hex = toHex(parent);
    const siblings = below.get(hex);
    if (siblings === undefined) below.set(hex, [index]);
    else siblings.push(index);
  }
  const root = indexes.get(toHex(contextId));
  return { rows, rootHash: root === undefined ? "00".repeat(32) : toHex(root.fullHash), indexes };
}

/** A context with collections of these sizes. */
export function collections(...sizes: readonly number[]): Made[] {
  const entities: Made[] = [{ id: contextId, parent: null, data: Uint8Array.of(1) }];
  for (const [at, size] of sizes.entries()) {
    const collection = idOf(`collection ${at}`);
    entities.push({ id: collection, parent: contextId, data: Uint8Array.of(2) });
    for (let entry = 0; entry < size; entry++)
      entities.push({
        id: idOf(`entry ${at} ${entry}`),
        parent: collection,
        data: Uint8Array.of(3, entry & 255),
      });
  }
  return entities;
}
