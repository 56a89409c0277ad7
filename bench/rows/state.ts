/** Rows of State: for each entity an index row (who is its parent, who are its children) and an entry row. */
import { hash } from "node:crypto";
import { b32, type Decoded, option, struct, u64, vec } from "../../src/codec/index.js";
import { ContextState } from "../../src/index.js";
import { ChildInfo, Metadata } from "../../src/payloads/index.js";
import type { Random } from "../random.js";
import { child, entryMetadata, mapMetadata } from "./metadata.js";
import type { Filler, Put } from "./put.js";

/** What an index row holds. */
export const EntityIndex = struct("EntityIndex", {
  id: b32,
  parentId: option(b32),
  children: option(vec(ChildInfo)),
  fullHash: b32,
  ownHash: b32,
  metadata: Metadata,
  deletedAt: option(u64),
});
export type EntityIndex = Decoded<typeof EntityIndex>;

/** Entries of one collection. */
const CHILDREN = 64;

/** The State rows of a context: its root, and collections of entries below it. About `rows` of them. */
export function* fillState(put: Put, random: Random, contextId: Uint8Array, rows: number): Filler {
  const collections = Math.max(1, Math.round(rows / (2 * CHILDREN + 2)));
  const children: ChildInfo[] = [];
  for (let count = 0; count < collections; count++) {
    const id = random.id();
    children.push(child(random, id, mapMetadata(random)));
    yield* fillCollection(put, random, contextId, id);
  }
  putEntity(put, random, {
    contextId,
    id: contextId,
    parentId: null,
    children,
    metadata: entryMetadata(random),
  });
  yield;
}

function* fillCollection(put: Put, random: Random, contextId: Uint8Array, id: Uint8Array): Filler {
  const children = Array.from({ length: CHILDREN }, () => child(random, random.id()));
  for (const { id: entry, metadata } of children) {
    putEntity(put, random, { contextId, id: entry, parentId: id, children: null, metadata });
    yield;
  }
  const metadata = mapMetadata(random);
  putEntity(put, random, { contextId, id, parentId: contextId, children, metadata });
  yield;
}

interface Entity {
  readonly contextId: Uint8Array;
  readonly id: Uint8Array;
  readonly parentId: Uint8Array | null;
  readonly children: readonly ChildInfo[] | null;
  readonly metadata: Metadata;
}

function putEntity(put: Put, random: Random, { contextId, ...entity }: Entity): void {
  const index = { ...entity, fullHash: random.id(), ownHash: random.id(), deletedAt: null };
  put(new ContextState({ contextId, stateKey: stateKey(0, entity.id) }), EntityIndex.encode(index));
  put(new ContextState({ contextId, stateKey: stateKey(1, entity.id) }), entryPayload(random, entity.id));
}

/** What the application stored: 50 to 200 bytes that end in the entity's id. */
export function entryPayload(random: Random, id: Uint8Array): Uint8Array {
  const payload = random.bytes(random.between(50, 200));
  payload.set(id, payload.length - id.length);
  return payload;
}

/** SHA-256 of the tag (0 index, 1 entry) and the entity's id. */
export function stateKey(tag: 0 | 1, id: Uint8Array): Uint8Array {
  const message = new Uint8Array(1 + id.length);
  message[0] = tag;
  message.set(id, 1);
  return new Uint8Array(hash("sha256", message, "buffer"));
}
