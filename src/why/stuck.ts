/** Work that nodes could not finish: deltas that are not applied, and key changes that are due. */

import { fromHex, toHex } from "../bytes/hex.js";
import { slices } from "../collections/lists.js";
import { countByContext } from "../node/contexts.js";
import type { PendingDelta } from "../node/history/pending.js";
import { isNodes, type NamedReader } from "../node/named-reader.js";
import { readNames } from "../node/names.js";
import { type PendingWork, pendingWork } from "../node/pending-work.js";
import { areThere, type NodeReader, readerWith, rowsOf } from "../node/tables/rows.js";
import { tablesOf } from "../node/tables/tables.js";
import { unreadOf } from "../node/tables/unread.js";
import { noteUnreadState } from "../node/tables/unread-state.js";
import { checkArgument, checkOptions } from "../options.js";
import { type SignalOption, signalOption } from "../progress.js";
import { pendingDeltas } from "./pending-deltas.js";

/** A delta that a node has not applied. Ids are 64 hex digits. */
export interface StuckDelta {
  /** The name of the node. */
  readonly node: string;
  /** The context's id. */
  readonly context: string;
  /** The delta's id. */
  readonly delta: string;
  /** Its parents that the node does not have. */
  readonly missing: readonly {
    /** The parent's id. */
    readonly parent: string;
    /** The names of the other nodes that have it. */
    readonly in: readonly string[];
    /** The names of the other nodes that may have it in a damaged table; undefined without such nodes. */
    readonly mayBeIn?: readonly string[] | undefined;
  }[];
  /** The pending deltas that follow it, directly or through others. */
  readonly waiting: readonly string[];
  /**
   * App key of the newer application that made the delta and that the node lacks; undefined if the delta waits for no
   * application.
   */
  readonly appKey: string | undefined;
}

/** Work on a group that a node still has to do. */
export interface StuckGroup extends PendingWork {
  /** The name of the node. */
  readonly node: string;
}

/** Deltas that are looked up at a time. */
const BATCH = 64;

/**
 * Lists the unfinished work of nodes, node by node: unapplied deltas in the order of their contexts, then deltas that
 * wait for an application, then work on groups. Reads the deltas of each node once.
 */
export async function* stuck(
  nodes: readonly NamedReader[],
  options: SignalOption = {},
): AsyncGenerator<StuckDelta | StuckGroup, void, undefined> {
  checkArgument("stuck", nodes, isNodes);
  checkOptions("stuck", options, signalOption);
  const { signal } = options;
  for (const { name: node, store } of nodes) {
    signal?.throwIfAborted();
    const reader = readerWith(store as unknown as NodeReader, signal);
    const others = nodes.filter((other) => other.store !== store);
    await noteUnreadState(store);
    const tables = tablesOf(reader);
    const contexts = await tables.contexts();
    for (const context of (await countByContext(reader, "ContextDagDelta")).keys()) {
      // Only the heads tell which deltas are pending.
      if (contexts.get(context)?.isUnread) continue;
      const pending = await pendingDeltas(reader, context, contexts.get(context)?.heads ?? []);
      // The unread part may contain a parent, a head, or the changes of a delta.
      if (["Delta", "Meta", "State"].some((column) => unreadOf(reader).isDamaged(column, context))) continue;
      for await (const { id, missing, waiting } of pending.stuck()) {
        const found = await whoHas(others, context, missing);
        yield { node, context, delta: id, missing: found, waiting, appKey: undefined };
      }
    }
    for await (const rows of rowsOf(reader, "AbsorbBufferKey"))
      for (const { key } of rows)
        yield {
          node,
          context: toHex(key.contextId),
          delta: toHex(key.deltaId),
          missing: [],
          waiting: [],
          appKey: toHex(key.producingAppKey),
        };
    for await (const work of pendingWork(reader, await readNames(tables))) yield { node, ...work };
  }
}

/** The names of the nodes that have each of these deltas. */
async function whoHas(
  nodes: readonly NamedReader[],
  context: string,
  deltas: PendingDelta["missing"],
): Promise<StuckDelta["missing"]> {
  const contextId = fromHex(context);
  const found: StuckDelta["missing"][number][] = [];
  for (const ids of slices(deltas, BATCH)) {
    const keys = ids.map((id) => ({ contextId, deltaId: fromHex(id) }));
    const rows = await Promise.all(
      nodes.map(({ store }) => areThere(store as unknown as NodeReader, "ContextDagDelta", keys)),
    );
    for (const [at, parent] of ids.entries()) {
      const having = nodes.filter((_, side) => rows[side]?.[at]);
      const unsure = nodes.filter(
        (node) =>
          !having.includes(node) &&
          unreadOf(node.store as unknown as NodeReader).isDamaged("Delta", context + parent),
      );
      found.push({
        ...{ parent, in: having.map(({ name }) => name) },
        mayBeIn: unsure.length === 0 ? undefined : unsure.map(({ name }) => name),
      });
    }
  }
  return found;
}
