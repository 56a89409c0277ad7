/** The root hashes of the contexts of several nodes, side by side. */
import { countByContext } from "../node/contexts.js";
import { isNodes, type NamedReader } from "../node/named-reader.js";
import { type ContextRecord, readContexts } from "../node/tables/contexts.js";
import { type NodeReader, readerWith } from "../node/tables/rows.js";
import { unreadOf } from "../node/tables/unread.js";
import { noteUnreadState } from "../node/tables/unread-state.js";
import { checkArgument, checkOptions } from "../options.js";
import { type SignalOption, signalOption } from "../progress.js";
import { pendingDeltas } from "./pending-deltas.js";

/** A context on one node. */
export interface RootHash {
  /** The name of the node. */
  readonly node: string;
  /**
   * Full hash of the state's root entity, 64 hex digits; zeros before the first state; undefined if its row cannot be
   * read.
   */
  readonly rootHash: string | undefined;
  /** Ids of the applied deltas that no applied delta follows, ascending. */
  readonly heads: readonly string[];
  /**
   * Number of deltas that the node has; undefined if not all can be read. A node that joined later need not have the
   * older deltas.
   */
  readonly deltas: number | undefined;
  /**
   * Number of deltas that the node has not applied; no applied delta follows them. Undefined if the heads are unknown,
   * or not all deltas can be read.
   */
  readonly pending: number | undefined;
}

/** A context on several nodes. */
export interface ContextRootHashes {
  /** The context's id, 64 hex digits. */
  readonly context: string;
  /** The nodes that joined the context, in their order. */
  readonly nodes: readonly RootHash[];
  /**
   * True if all these nodes have the same root hash; undefined if the known root hashes are equal and others are
   * unknown.
   */
  readonly equal: boolean | undefined;
}

/**
 * Compares the root hashes of all contexts, in the order of the contexts' ids. Reads the deltas and states of each node
 * once.
 */
export async function* rootHashes(
  nodes: readonly NamedReader[],
  options: SignalOption = {},
): AsyncGenerator<ContextRootHashes, void, undefined> {
  checkArgument("rootHashes", nodes, isNodes);
  checkOptions("rootHashes", options, signalOption);
  options.signal?.throwIfAborted();
  const sides = await Promise.all(
    nodes.map(async ({ name, store }) => {
      const reader = readerWith(store as unknown as NodeReader, options.signal);
      await noteUnreadState(store);
      const contexts = await readContexts(reader);
      return { name, reader, contexts, deltas: await countByContext(reader, "ContextDagDelta") };
    }),
  );
  const ids = new Set(sides.flatMap(({ contexts }) => [...contexts.keys()]));
  for (const context of [...ids].toSorted()) {
    const found: RootHash[] = [];
    for (const { name, reader, contexts, deltas } of sides) {
      const { rootHash, heads } = contexts.get(context) ?? NOT_JOINED;
      const isUnread = contexts.get(context)?.isUnread ?? unreadOf(reader).isDamaged("Meta", context);
      if (rootHash === undefined && !isUnread) continue;
      const { size } = await pendingDeltas(reader, context, heads);
      const isDamaged = unreadOf(reader).isDamaged("Delta", context);
      const count = isDamaged ? undefined : (deltas.get(context)?.rows ?? 0);
      const pending = isUnread || isDamaged ? undefined : size;
      found.push({ node: name, rootHash, heads: heads.toSorted(), deltas: count, pending });
    }
    const known = new Set(found.flatMap(({ rootHash }) => rootHash ?? []));
    const hasUnknown = found.some(({ rootHash }) => rootHash === undefined);
    const equal = known.size > 1 ? false : hasUnknown ? undefined : true;
    if (found.length > 0) yield { context, nodes: found, equal };
  }
}

const NOT_JOINED: Pick<ContextRecord, "rootHash" | "heads"> = { rootHash: undefined, heads: [] };
