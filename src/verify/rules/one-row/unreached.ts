/** A second look at a context that has rows which no other row names. It finds these rows. */
import { toHex } from "../../../bytes/hex.js";
import { IdTable } from "../../../bytes/id-table.js";
import { equalBytes } from "../../../bytes/order.js";
import { childTrieAddress, fullHash, nibbleAt } from "../../../digests/index.js";
import { childTrieKey, deletedChildrenOf, entityKey } from "../../../layouts/index.js";
import type { Pause } from "../../../pause.js";
import type { RowFinding } from "../../finding.js";
import type { Found } from "../../tools.js";
import {
  beside,
  type Entity,
  entityIn,
  isParent,
  isRoot,
  type RawStateRow,
  readRow,
  type StateKey,
  trieRowIn,
} from "./rows.js";
import { type Finder, walkTries } from "./walk.js";

/** The most parents whose deleted children stay in memory for the next entities. */
const MOST_KEPT = 64;

/** The number of ids of deleted children that are read at a time. */
const SLICE = 1024;

/** The rows of a context that no other row names. `rows` are all of its rows, in key order: entities before tries. */
export async function* unreached(
  rows: AsyncIterable<readonly RawStateRow[]>,
  tools: Finder,
  pause: Pause,
): AsyncGenerator<RowFinding, void, undefined> {
  const reached = new IdTable();
  const parents = new Parents(tools);
  for await (const batch of rows) {
    const entities: Entity[] = [];
    const tries: { readonly key: StateKey; readonly address: Uint8Array }[] = [];
    for (const { key, value } of batch) {
      const found = readRow(key, value);
      if (found.kind === "child trie") tries.push({ key, address: found.address });
      const entity = found.kind === "entity" ? entityIn(key, value) : undefined;
      if (entity !== undefined) entities.push(entity);
      if (pause.isLong) await pause.ifLong();
    }
    yield* parents.unnamed(entities);
    const live: Entity[] = [];
    for (const entity of entities) {
      if (isParent(entity)) live.push(entity);
      if (pause.isLong) await pause.ifLong();
    }
    for await (const round of walkTries(live, tools, pause))
      for (const { address, row } of round) if (row !== "missing") reached.add(address);
    for (const { key, address } of tries)
      if (!reached.has(address)) yield { key, message: "no entity has this row in the trie of its children" };
  }
}

type Parent =
  | {
      readonly state: "live" | "deleted";
      /** True if its full hash says that it has children. */
      readonly hasChildren: boolean;
      readonly deletedChildren: IdTable;
    }
  | { readonly state: "not there" | "not readable" };

class Parents {
  readonly #tools: Finder;
  readonly #kept = new Map<string, Parent>();

  constructor(tools: Finder) {
    this.#tools = tools;
  }

  /** Reports the entities that their parent names neither as a child nor as a deleted child. */
  async *unnamed(entities: readonly Entity[]): AsyncGenerator<RowFinding, void, undefined> {
    const below = entities.filter((entity) => !isRoot(entity) && entity.index.parentId !== null);
    await this.#load(below);
    const live: Entity[] = [];
    for (const entity of below) {
      const { key, index } = entity;
      const found = index.parentId as Uint8Array;
      const parent = this.#kept.get(toHex(found)) as Parent;
      if (parent.state === "not readable") continue;
      const isDeleted = index.deletedAt !== null;
      if (parent.state === "not there") yield { key, message: "the entity's parent is not there", found };
      else if (isDeleted) {
        // Entities below a deleted entity are deleted with it.
        if (parent.state === "live" && !parent.deletedChildren.has(index.id))
          yield { key, message: "the entity is deleted, and its parent does not name it as deleted", found };
      } else if (parent.state === "deleted") yield { key, message: "the entity's parent is deleted", found };
      else live.push(entity);
    }
    for (const { key, index } of await this.#unlisted(live)) {
      const message = "the trie of the entity's parent does not name it as a child";
      yield { key, message, found: index.parentId as Uint8Array };
    }
  }

  async #load(entities: readonly Entity[]): Promise<void> {
    if (this.#kept.size > MOST_KEPT) this.#kept.clear();
    const missing = new Map<string, StateKey>();
    for (const { key, index } of entities) {
      const hex = toHex(index.parentId as Uint8Array);
      if (!this.#kept.has(hex)) missing.set(hex, beside(key, entityKey(index.parentId as Uint8Array)));
    }
    const keys = [...missing.values()];
    const found = (await this.#tools.find(keys)) as readonly Found<Uint8Array>[];
    for (const [at, hex] of [...missing.keys()].entries())
      this.#kept.set(hex, parentOf(keys[at] as StateKey, found[at] as Found<Uint8Array>));
  }

  /** The entities that the tries of their parents do not list. All tries are read level by level. */
  async #unlisted(entities: readonly Entity[]): Promise<readonly Entity[]> {
    const unlisted: Entity[] = [];
    let open = entities;
    for (let level = 0; open.length > 0; level++) {
      const keys = open.map(({ key, index: { id, parentId } }) => {
        const path = Array.from({ length: level }, (_, place) => nibbleAt(id, place));
        return beside(key, childTrieKey(childTrieAddress(parentId as Uint8Array, path)));
      });
      const found = (await this.#tools.find(keys)) as readonly Found<Uint8Array>[];
      open = open.filter((entity, at) => {
        const { id } = entity.index;
        const row = trieRowIn(keys[at] as StateKey, found[at]?.value);
        // Another rule reports a row that is missing or cannot be read.
        if (row === undefined) {
          if (level === 0 && !this.#hasChildren(entity)) unlisted.push(entity);
          return false;
        }
        if (row.kind === "Node") {
          const isBelow = row.slots.some(({ nibble }) => nibble === nibbleAt(id, level));
          if (!isBelow) unlisted.push(entity);
          return isBelow;
        }
        if (!row.children.some((child) => equalBytes(child.id, id))) unlisted.push(entity);
        return false;
      });
    }
    return unlisted;
  }

  #hasChildren({ index }: Entity): boolean {
    const parent = this.#kept.get(toHex(index.parentId as Uint8Array));
    return parent !== undefined && "hasChildren" in parent && parent.hasChildren;
  }
}

function parentOf(key: StateKey, { there, value }: Found<Uint8Array>): Parent {
  if (!there) return { state: "not there" };
  const parent = entityIn(key, value)?.index;
  if (parent === undefined) return { state: "not readable" };
  const deletedChildren = new IdTable();
  for (const ids of deletedChildrenOf(parent, SLICE)) for (const id of ids) deletedChildren.add(id);
  const hasChildren = !equalBytes(parent.fullHash, fullHash(parent.ownHash));
  return { state: parent.deletedAt === null ? "live" : "deleted", hasChildren, deletedChildren };
}
