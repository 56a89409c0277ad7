/** The state of a context: a tree of entities, in which every parent holds the hashes of its children. */
import { toHex } from "../../bytes/hex.js";
import { equalBytes } from "../../bytes/order.js";
import { entryStateKey, fullHash, fullHash011, indexStateKey } from "../../digests/index.js";
import { ContextState } from "../../keys/index.js";
import { core011 } from "../../schemas/index.js";
import { slices, together } from "../batches.js";
import type { Broken } from "../finding.js";
import { on, type Rule } from "../rule.js";
import type { Found, Tools } from "../tools.js";
import {
  type AnyIndex,
  type EitherRows,
  type Entity,
  type IndexReader,
  indexes011,
  onEntities,
} from "./entities.js";
import { withChildren } from "./families.js";
import { askUnfinished } from "./unfinished.js";

function fullHashOf(index: AnyIndex): Uint8Array {
  return "deletedChildren" in index ? fullHash011(index) : fullHash(index);
}

const ownHashRule: Rule = {
  name: "own-hash",
  relations: [26],
  severity: "error",
  says: "An entity's own hash is that of its data, where it has some.",
  checks: onEntities(async function* (batches, tools) {
    for await (const entities of batches)
      for (const slice of slices(entities, AT_ONCE)) yield* compare(slice, tools);
  }),
};

/** Data that is in memory at once: an entity may have much. */
const AT_ONCE = 256;

async function* compare(
  entities: readonly Entity[],
  tools: Tools<EitherRows>,
): AsyncGenerator<Broken, void, undefined> {
  const entries = await tools.join(entities, entryKey);
  const filled = entries.flatMap(([entity, { value }]) => (value === undefined ? [] : [{ entity, value }]));
  tools.checked(filled.length);
  const hashes = await tools.sha256(filled.map(({ value }) => value));
  for (const [at, { entity }] of filled.entries()) {
    const { key, index } = entity;
    const expected = hashes[at];
    if (expected !== undefined && !equalBytes(index.ownHash, expected))
      yield { key, message: "the entity's data has another hash", found: index.ownHash, expected };
  }
}

/** Where the data of an entity lies. */
function entryKey({ key: { contextId }, index: { id } }: Entity): ContextState {
  return new ContextState({ contextId, stateKey: entryStateKey(id) });
}

const fullHashRule: Rule = {
  name: "full-hash",
  relations: [27],
  severity: "error",
  says: "An entity's full hash covers its own and those of its children.",
  checks: onEntities(async function* (batches, tools) {
    for await (const entities of batches) {
      for (const { key, index } of entities) {
        // What is deleted keeps the hashes that it had.
        if (index.deletedAt !== null || neverHadChildren(key, index)) continue;
        tools.checked();
        const expected = fullHashOf(index);
        if (!equalBytes(index.fullHash, expected)) {
          const message = "own hash and children give another full hash";
          yield { key, message, found: index.fullHash, expected };
        }
      }
    }
  }),
};

/** A root of core-0.10 that never had children may have zeros for its full hash. */
function neverHadChildren({ contextId }: ContextState, index: AnyIndex): boolean {
  if ("deletedChildren" in index || !equalBytes(index.id, contextId)) return false;
  return (index.children ?? []).length === 0 && index.fullHash.every((byte) => byte === 0);
}

const childHash: Rule = {
  name: "child-hash",
  relations: [28],
  severity: "error",
  says: "A child that an entity names is there, names it as its parent, and has the hash that the parent holds.",
  checks: onEntities(async function* (batches, tools, indexes) {
    const isUnfinished = askUnfinished(tools);
    for await (const families of withChildren(batches, tools, indexes)) {
      for (const { key, children } of families) {
        for (const { info, state, fullHash } of children) {
          const { id, merkleHash } = info;
          if (state === "missing" && (await isUnfinished(key.contextId))) continue;
          tools.checked();
          if (state === "missing") yield { key, message: "a child is not there", expected: id };
          if (state === "no index") yield { key, message: "what is there of a child is no index", found: id };
          if (state === "other parent") yield { key, message: "a child has another parent", found: id };
          if (fullHash !== undefined) {
            const message = `the child ${toHex(id)} has another hash than its parent holds`;
            yield { key, message, found: merkleHash, expected: fullHash };
          }
        }
      }
    }
  }),
};

const rootEntity: Rule = {
  name: "root-entity",
  relations: [29],
  severity: "error",
  says: "The root of a context's state has no parent, and everything else has one.",
  checks: onEntities(async function* (batches, tools) {
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
  }),
};

const reachable: Rule = {
  name: "state-reachable",
  relations: [29],
  severity: "warning",
  says: "Every entity that is not deleted is a child of one that is not.",
  checks: onEntities(async function* (batches, tools, indexes) {
    const isUnfinished = askUnfinished(tools);
    let entities = 0;
    let named = 0;
    for await (const { id, rows, begins, ends } of together(
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
      // Every entity has one parent: if as many are named as there are, none is missing, and no second look is needed.
      if (ends && entities > named && !(await isUnfinished(id))) yield* orphans(id, tools, indexes);
    }
  }),
};

/** The entities of a context that are no child of the parent that they name. */
async function* orphans(
  contextId: Uint8Array,
  tools: Tools<EitherRows>,
  indexes: IndexReader,
): AsyncGenerator<Broken, void, undefined> {
  for await (const rows of tools.scan(ContextState.range({ contextId }))) {
    const live: (Entity & { readonly parentId: Uint8Array })[] = [];
    for (const entity of indexes.read(rows).entities) {
      // Of the root, and of what has no parent, another rule speaks.
      if (entity.index.deletedAt !== null || equalBytes(entity.index.id, contextId)) continue;
      const { parentId } = entity.index;
      if (parentId !== null) live.push({ ...entity, parentId });
    }
    const parents = new Map<string, ParentIndex>();
    for (const [{ key, index, parentId }, found] of await tools.join(
      live,
      ({ parentId }) => new ContextState({ contextId, stateKey: indexStateKey(parentId) }),
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

const deletedChildren: Rule = {
  name: "deleted-children",
  relations: [30],
  severity: "warning",
  says: "Deleted children are marked as deleted, have no data, and are no children any more.",
  checks: [
    on([core011], ContextState, async function* (batches, tools) {
      for await (const rows of batches) {
        const deleted = indexes011
          .read(rows)
          .entities.flatMap(({ key, index }) =>
            "deletedChildren" in index ? index.deletedChildren.map((id) => ({ key, index, id })) : [],
          );
        tools.checked(deleted.length);
        const place = (stateKey: (id: Uint8Array) => Uint8Array) =>
          tools.find(
            deleted.map(
              ({ key: { contextId }, id }) => new ContextState({ contextId, stateKey: stateKey(id) }),
            ),
          );
        const indexes = await place(indexStateKey);
        const entries = await place(entryStateKey);
        for (const [at, { key, index, id }] of deleted.entries()) {
          const value = indexes[at]?.value;
          const child = value === undefined ? undefined : indexes011.decode(value);
          if (child === undefined) {
            const message = "nothing is left of a deleted child, as after a collection was put into another";
            yield { key, message, found: id, severity: "info" };
          } else if (child.deletedAt === null)
            yield { key, message: "a deleted child is not marked as deleted", found: id };
          if (entries[at]?.there) yield { key, message: "a deleted child still has data", found: id };
          if (index.children?.some((one) => equalBytes(one.id, id)))
            yield { key, message: "a deleted child is still named as a child", found: id };
        }
      }
    }),
  ],
};

export const stateRules: readonly Rule[] = [
  ownHashRule,
  fullHashRule,
  childHash,
  rootEntity,
  reachable,
  deletedChildren,
];
