/** A database as it was at a moment of a context: the state's rows of then stand in place of those of now. */
import { concat } from "../../bytes/concat.js";
import { fromHex } from "../../bytes/hex.js";
import { Pause } from "../../pause.js";
import type { Schema } from "../../schemas/index.js";
import { StoreReader } from "../../store/browser.js";
import { PendingReader } from "../../store/pending.js";
import type { IndexRow } from "../index-row.js";
import type { ReplayedChild } from "../layouts/layout.js";
import { layoutOf } from "../layouts/layout-of.js";
import type { ContextReplay } from "./replay.js";
import type { ReplayedTree } from "./tree.js";

/** A hash that is not known. */
const NO_HASH = new Uint8Array(32);

/**
 * A reader of a database in which a context's state is the one that a replay was moved to. All other rows are those of now.
 * Entities whose data is unknown have none.
 */
export async function readerAt<S extends Schema>(
  reader: StoreReader<S>,
  replay: ContextReplay,
): Promise<StoreReader<S>> {
  const pending = new PendingReader(reader.raw);
  const context = fromHex(replay.contextId);
  const { keysOf, replay: rows } = layoutOf(reader.schema);
  const pause = new Pause();
  for (const id of replay.touched()) {
    await pause.ifLong();
    const row = indexRowOf(replay.tree, id);
    for (const { what, stateKey } of keysOf(fromHex(id))) {
      const key = concat(context, stateKey);
      const value =
        what === "entry"
          ? replay.tree.get(id)?.data
          : row && rows?.encodeIndex(row, childrenOf(replay.tree, id));
      const change = { column: "State", key };
      pending.add(value === undefined ? { type: "delete", ...change } : { type: "put", ...change, value });
    }
  }
  return new StoreReader<S>(pending, reader.schema);
}

/** An entity as its index record; undefined if it is not there. */
export function indexRowOf(tree: ReplayedTree, id: string): IndexRow | undefined {
  const entity = tree.get(id);
  if (entity === undefined) return undefined;
  const { ownHash, metadata, deletedAt } = entity;
  const parent = tree.parentOf(id);
  return {
    id: fromHex(id),
    parentId: parent === undefined ? null : fromHex(parent),
    fullHash: tree.hash(id) ?? NO_HASH,
    ownHash: ownHash ?? NO_HASH,
    metadata,
    deletedAt: deletedAt ?? null,
    deletedChildren: [...tree.deletedChildren(id)].sort().map(fromHex),
  };
}

/** The children of an entity that live, in the order of their creation. */
function childrenOf(tree: ReplayedTree, id: string): readonly ReplayedChild[] {
  const children = tree
    .children(id)
    .map((child) => ({ child, createdAt: tree.childCreation(id, child) ?? 0n }));
  children.sort((a, b) =>
    a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : a.child < b.child ? -1 : 1,
  );
  return children.flatMap(({ child }) => indexRowOf(tree, child) ?? []);
}
