/** A database at a moment of a context: the state's rows of that moment replace the present rows. */
import { concat } from "../../bytes/concat.js";
import { fromHex } from "../../bytes/hex.js";
import { compareBigints, compareBytes, successor } from "../../bytes/order.js";
import { sorted } from "../../collections/sort.js";
import { checkArgument, isReader } from "../../options.js";
import { Pause } from "../../pause.js";
import type { Schema } from "../../schemas/index.js";
import { StoreReader } from "../../store/browser.js";
import { PendingReader } from "../../store/pending.js";
import { isReplay } from "../arguments.js";
import type { IndexRow } from "../index-row.js";
import type { ReplayedChild, StateLayout, StateRowOf } from "../layouts/layout.js";
import { layoutOf } from "../layouts/layout-of.js";
import type { EntityTree } from "./entity-tree.js";
import type { ContextReplay } from "./replay.js";
import type { ReplayedTree } from "./tree.js";

/** A hash that is not known. */
const NO_HASH = new Uint8Array(32);

/**
 * Returns a reader of a database with a context's state at the position of a replay. Entities that the replay does not
 * give have no rows. All other rows are the present ones. Entities with unknown data have no data.
 */
export async function readerAt<S extends Schema>(
  reader: StoreReader<S>,
  replay: ContextReplay,
): Promise<StoreReader<S>> {
  checkArgument("readerAt", reader, isReader);
  checkArgument("readerAt", replay, isReplay);
  const pending = new PendingReader(reader.raw);
  const context = fromHex(replay.contextId);
  const layout = layoutOf(reader.schema);
  const pause = new Pause();
  pending.add({ type: "deleteRange", column: "State", gte: context, lt: successor(context) });
  const tree = replay.tree.byNumber;
  for (let id = 0; id < tree.size; id++) {
    if (pause.isLong) await pause.ifLong();
    for (const { stateKey, value } of await rowsOfEntity(tree, id, layout, pause))
      pending.add({ type: "put", column: "State", key: concat(context, stateKey), value });
  }
  return new StoreReader<S>(pending, reader.schema);
}

/**
 * An entity as its index record; undefined if it is not there.
 *
 * @param id 64 hex digits
 */
export function indexRowOf({ byNumber: tree }: ReplayedTree, id: string): IndexRow | undefined {
  const number = tree.find(fromHex(id));
  return number === undefined ? undefined : rowOf(tree, number);
}

/**
 * The rows of an entity at the position of a replay; empty if the entity is not there.
 *
 * @param id 32 bytes
 */
export async function stateRowsOf(
  schema: Schema,
  { tree: { byNumber: tree } }: ContextReplay,
  id: Uint8Array,
): Promise<readonly StateRowOf[]> {
  const number = tree.find(id);
  return number === undefined ? [] : rowsOfEntity(tree, number, layoutOf(schema), new Pause());
}

async function rowsOfEntity(
  tree: EntityTree,
  id: number,
  { replay }: StateLayout,
  pause: Pause,
): Promise<readonly StateRowOf[]> {
  await tree.computeHash(id, pause);
  const row = rowOf(tree, id);
  return row === undefined ? [] : replay.rowsOf(row, tree.get(id)?.data, await childrenOf(tree, id, pause));
}

function rowOf(tree: EntityTree, id: number): IndexRow | undefined {
  const entity = tree.get(id);
  if (entity === undefined) return undefined;
  const { parent, ownHash, metadata, deletedAt } = entity;
  return {
    id: tree.idOf(id),
    parentId: parent === undefined ? null : tree.idOf(parent),
    fullHash: tree.hash(id) ?? NO_HASH,
    ownHash: ownHash ?? NO_HASH,
    metadata,
    deletedAt: deletedAt ?? null,
    deletedChildren: Array.from(tree.deletedChildren(id), (child) => tree.idOf(child)).sort(compareBytes),
  };
}

/** The children of an entity that are not deleted, in the order of their creation. */
async function childrenOf(tree: EntityTree, id: number, pause: Pause): Promise<readonly ReplayedChild[]> {
  const timeOf = (child: number): bigint => tree.childCreation(id, child) ?? 0n;
  // The sort is stable: children with equal times stay in the order of ids.
  const children = await sorted(Array.from(tree.children(id)), (a, b) =>
    compareBigints(timeOf(a), timeOf(b)),
  );
  const rows: ReplayedChild[] = [];
  for (const child of children) {
    if (pause.isLong) await pause.ifLong();
    const row = rowOf(tree, child);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}
