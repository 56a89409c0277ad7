/**
 * The layout of State up to core-0.11: two rows for each entity. Its index lists the children with their hashes; the
 * other row has its data.
 */

import { toHex } from "../../bytes/hex.js";
import { IdTable } from "../../bytes/id-table.js";
import { equalBytes } from "../../bytes/order.js";
import { slices } from "../../collections/lists.js";
import { entryStateKey, fullHash010, fullHash011, indexStateKey, mapEntryId } from "../../digests/index.js";
import { ContextPrivateState011, ContextState011 } from "../../keys/index.js";
import type { Schema } from "../../schemas/index.js";
import { runsById } from "../batches.js";
import type { RowFinding } from "../finding.js";
import { type KindCheck, on } from "../rule.js";
import type { Since010 } from "../since.js";
import type { Found, Tools } from "../tools.js";
import {
  type AnyIndex,
  beside,
  type Entity,
  entitiesOf,
  type IndexReader,
  isPrivate,
  type StateKey,
} from "./entities.js";
import { withChildren } from "./families.js";
import type { StateLayout, StateRule } from "./state-layout.js";
import { askUnfinished } from "./unfinished.js";

function fullHashOf(index: AnyIndex): Uint8Array {
  return "deletedChildren" in index ? fullHash011(index) : fullHash010(index);
}

/**
 * Returns whether rows of a context's state may be missing. A node writes private state together with the rows that
 * refer to it.
 */
function askMissing(tools: Tools<Since010>): (key: StateKey) => Promise<boolean> {
  const isUnfinished = askUnfinished(tools);
  return async (key) => !isPrivate(key) && (await isUnfinished(key.contextId));
}

async function* ownHash(
  batches: AsyncIterable<readonly Entity[]>,
  tools: Tools<Since010>,
): AsyncGenerator<RowFinding, void, undefined> {
  const mayBeMissing = askMissing(tools);
  for await (const entities of batches)
    for (const slice of slices(entities, AT_ONCE)) yield* compare(slice, tools, mayBeMissing);
}

/** The number of entities whose data is in memory at a time: the data may be large. */
const AT_ONCE = 256;

async function* compare(
  entities: readonly Entity[],
  tools: Tools<Since010>,
  mayBeMissing: (key: StateKey) => Promise<boolean>,
): AsyncGenerator<RowFinding, void, undefined> {
  const entries = await tools.join(entities, ({ key, index: { id } }) => beside(key, entryStateKey(id)));
  const filled: { readonly entity: Entity; readonly value: Uint8Array }[] = [];
  for (const [entity, { value }] of entries) {
    if (value !== undefined) filled.push({ entity, value });
    else if (hasData(entity) && !(await mayBeMissing(entity.key))) {
      tools.checked();
      const { key, index } = entity;
      const message = "the entity's data is not there";
      yield isPrivate(key) ? { key, message } : { key, message, expected: index.ownHash };
    }
  }
  tools.checked(filled.length);
  const hashes = await tools.sha256(filled.map(({ value }) => value));
  for (const [at, { entity }] of filled.entries()) {
    const { key, index } = entity;
    const expected = hashes[at];
    if (expected === undefined || equalBytes(index.ownHash, expected)) continue;
    const message = "the entity's data has another hash";
    yield isPrivate(key) ? { key, message } : { key, message, found: index.ownHash, expected };
  }
}

/**
 * Returns whether an entity must have data. A deleted entity keeps the hash of its old data. The root of private state
 * has zeros as hash, and the first root of core-0.10 a placeholder.
 */
function hasData({ key, index }: Entity): boolean {
  return index.deletedAt === null && !isZeros(index.ownHash) && !neverHadChildren(key, index);
}

function isZeros(hash: Uint8Array): boolean {
  return hash.every((byte) => byte === 0);
}

async function* fullHash(
  batches: AsyncIterable<readonly Entity[]>,
  tools: Tools<Since010>,
): AsyncGenerator<RowFinding, void, undefined> {
  for await (const entities of batches) {
    for (const { key, index } of entities) {
      // A deleted entity keeps the hashes that it had.
      if (index.deletedAt !== null || neverHadChildren(key, index)) continue;
      tools.checked();
      const expected = fullHashOf(index);
      if (!equalBytes(index.fullHash, expected)) {
        const message = "own hash and children give another full hash";
        yield isPrivate(key) ? { key, message } : { key, message, found: index.fullHash, expected };
      }
    }
  }
}

/** A root of core-0.10 that never had children may have zeros for its full hash. */
function neverHadChildren({ contextId }: StateKey, index: AnyIndex): boolean {
  if ("deletedChildren" in index || !equalBytes(index.id, contextId)) return false;
  return (index.children ?? []).length === 0 && isZeros(index.fullHash);
}

async function* childHash(
  batches: AsyncIterable<readonly Entity[]>,
  tools: Tools<Since010>,
  indexes: IndexReader,
): AsyncGenerator<RowFinding, void, undefined> {
  const mayBeMissing = askMissing(tools);
  for await (const families of withChildren(batches, tools, indexes)) {
    for (const { key, children } of families) {
      for (const { info, state, fullHash } of children) {
        const { id, merkleHash } = info;
        if (state === "missing" && (await mayBeMissing(key))) continue;
        tools.checked();
        if (state === "missing") yield { key, message: "a child is not there", expected: id };
        if (state === "no index")
          yield { key, message: "what is there of a child is not an index", found: id };
        if (state === "other parent") yield { key, message: "a child has another parent", found: id };
        if (fullHash !== undefined) {
          const message = `the child ${toHex(id)} has another hash than its parent holds`;
          yield isPrivate(key) ? { key, message } : { key, message, found: merkleHash, expected: fullHash };
        }
      }
    }
  }
}

async function* rootEntity(
  batches: AsyncIterable<readonly Entity[]>,
  tools: Tools<Since010>,
): AsyncGenerator<RowFinding, void, undefined> {
  for await (const entities of batches) {
    for (const { key, index } of entities) {
      if (index.deletedAt !== null) continue;
      tools.checked();
      const root = equalBytes(index.id, key.contextId);
      if (root && index.parentId !== null)
        yield { key, message: "the root has a parent", found: index.parentId };
      if (!root && index.parentId === null)
        yield { key, message: "the entity has no parent, and is not the root", severity: "warning" };
    }
  }
}

async function* reachable(
  batches: AsyncIterable<readonly Entity[]>,
  tools: Tools<Since010>,
  indexes: IndexReader,
): AsyncGenerator<RowFinding, void, undefined> {
  const mayBeMissing = askMissing(tools);
  let entities = 0;
  let named = 0;
  for await (const { rows, begins, ends } of runsById(
    withChildren(batches, tools, indexes),
    ({ key }) => key.contextId,
  )) {
    if (begins) {
      entities = 0;
      named = 0;
    }
    for (const { key, index, children } of rows) {
      if (index.deletedAt !== null) continue;
      if (!equalBytes(index.id, key.contextId)) {
        entities++;
        tools.checked();
      }
      named += children.filter(({ live }) => live).length;
    }
    // Every entity has one parent. If parents name as many entities as there are, no second look is needed.
    const [first] = rows;
    if (!ends || first === undefined || entities <= named || (await mayBeMissing(first.key))) continue;
    yield* orphans(first.key, tools, indexes);
  }
}

/** Reports the entities of a context's state that are not children of the parent that they name. */
async function* orphans(
  of: StateKey,
  tools: Tools<Since010>,
  indexes: IndexReader,
): AsyncGenerator<RowFinding, void, undefined> {
  const { contextId } = of;
  const all = isPrivate(of)
    ? ContextPrivateState011.range({ contextId })
    : ContextState011.range({ contextId });
  for await (const rows of tools.scan<typeof ContextState011 | typeof ContextPrivateState011>(all)) {
    const live: (Entity & { readonly parentId: Uint8Array })[] = [];
    for (const entity of indexes.read(rows).entities) {
      // Another rule checks the root and entities without a parent.
      if (entity.index.deletedAt !== null || equalBytes(entity.index.id, contextId)) continue;
      const { parentId } = entity.index;
      if (parentId !== null) live.push({ ...entity, parentId });
    }
    const parents = new Map<string, ParentIndex>();
    for (const [{ key, index, parentId }, found] of await tools.join(live, ({ parentId }) =>
      beside(of, indexStateKey(parentId)),
    )) {
      const hex = toHex(parentId);
      const parent = parents.get(hex) ?? parentIndex(found, indexes);
      parents.set(hex, parent);
      if (parent.state === "live" && parent.children.has(toHex(index.id))) continue;
      const message =
        parent.state === "live"
          ? "the entity's parent does not name it as a child"
          : `the entity's parent is ${parent.state}`;
      yield { key, message, found: parentId };
    }
  }
}

interface ParentIndex {
  readonly state: "live" | "deleted" | "not there";
  readonly children: ReadonlySet<string>;
}

function parentIndex({ value }: Found<Uint8Array>, indexes: IndexReader): ParentIndex {
  const index = value === undefined ? undefined : indexes.decode(value);
  const state = index === undefined ? "not there" : index.deletedAt === null ? "live" : "deleted";
  return { state, children: new Set(index?.children?.map(({ id }) => toHex(id))) };
}

async function* deletedChildren(
  batches: AsyncIterable<readonly Entity[]>,
  tools: Tools<Since010>,
  indexes: IndexReader,
): AsyncGenerator<RowFinding, void, undefined> {
  for await (const entities of batches) {
    const deleted = entities.flatMap(({ key, index }) =>
      "deletedChildren" in index ? index.deletedChildren.map((id) => ({ key, index, id })) : [],
    );
    tools.checked(deleted.length);
    const stored = await tools.find(deleted.map(({ key, id }) => beside(key, indexStateKey(id))));
    const entries = await tools.find(deleted.map(({ key, id }) => beside(key, entryStateKey(id))));
    let parent: AnyIndex | undefined;
    let children = new IdTable();
    for (const [at, { key, index, id }] of deleted.entries()) {
      const value = stored[at]?.value;
      const child = value === undefined ? undefined : indexes.decode(value);
      if (child === undefined) {
        const message = "nothing is left of a deleted child, as after a collection was put into another";
        yield { key, message, found: id, severity: "info" };
      } else if (child.deletedAt === null)
        yield { key, message: "a deleted child is not marked as deleted", found: id };
      if (entries[at]?.there) yield { key, message: "a deleted child still has data", found: id };
      if (index !== parent) {
        parent = index;
        children = new IdTable();
        for (const one of index.children ?? []) children.add(one.id);
      }
      if (children.has(id)) yield { key, message: "a deleted child is still named as a child", found: id };
    }
  }
}

/** The order of sorted collections, since core-0.11. */
function orderIn(indexes: IndexReader): StateLayout["order"] {
  return {
    hashInMark: (mark) => mark,
    isPlaceOf: (collectionId, orderKey, entryId) => equalBytes(entryId, mapEntryId(collectionId, orderKey)),
    collectionIn: (_, value) => {
      const index = indexes.decode(value);
      return (
        index && {
          fullHash: index.fullHash,
          kind: index.metadata.crdtType?.kind,
          async *children() {
            yield (index.children ?? []).map(({ id }) => id);
          },
        }
      );
    },
  };
}

/** The layout for the kinds of rows that contain entities. */
export function twoRows(
  revisions: readonly Schema[],
  kinds: readonly (typeof ContextState011 | typeof ContextPrivateState011)[],
  indexes: IndexReader,
): StateLayout {
  const each = (
    loop: (
      entities: AsyncIterable<readonly Entity[]>,
      tools: Tools<Since010>,
      indexes: IndexReader,
    ) => AsyncGenerator<RowFinding, void, undefined>,
  ): readonly KindCheck[] =>
    kinds.map((kind) =>
      on(revisions as readonly Since010[], kind, (rows, tools) =>
        loop(entitiesOf(rows, indexes), tools, indexes),
      ),
    );
  const checks: Partial<Record<StateRule, readonly KindCheck[]>> = {
    "own-hash": each(ownHash),
    "full-hash": each(fullHash),
    "child-hash": each(childHash),
    "root-entity": each(rootEntity),
    "state-reachable": each(reachable),
    ...(indexes.hasDeletedChildren && { "deleted-children": each(deletedChildren) }),
  };
  return {
    revisions,
    checks,
    indexKey: (contextId, entityId) => new ContextState011({ contextId, stateKey: indexStateKey(entityId) }),
    order: indexes.hasDeletedChildren ? orderIn(indexes) : undefined,
    fullHashIn: (_, value) => indexes.decode(value)?.fullHash,
  };
}
