import { isZeros } from "../../bytes/bytes.js";
import { equalBytes } from "../../bytes/order.js";
import { ContextMeta, snapshotKey } from "../../keys/index.js";
import type { Since010 } from "../since.js";
import type { Tools } from "../tools.js";

/** Returns a function that tells whether a context's state is incomplete. It remembers the last answer. */
export function askUnfinished(tools: Tools<Since010>): (contextId: Uint8Array) => Promise<boolean> {
  let last: { readonly contextId: Uint8Array; readonly answer: boolean } | undefined;
  return async (contextId) => {
    if (last === undefined || !equalBytes(last.contextId, contextId)) {
      const [answer = false] = await unfinished(tools, [contextId]);
      last = { contextId, answer };
    }
    return last.answer;
  };
}

/**
 * Returns for each context whether its state is incomplete: the node is fetching a snapshot, or has fetched none yet.
 */
export async function unfinished(
  tools: Tools<Since010>,
  contextIds: readonly Uint8Array[],
): Promise<readonly boolean[]> {
  const metas = await tools.find(contextIds.map((contextId) => new ContextMeta({ contextId })));
  const syncs = await tools.find(contextIds.map(snapshotKey));
  return contextIds.map((_, at) => {
    const meta = metas[at]?.value;
    return syncs[at]?.there === true || (meta !== undefined && isZeros(meta.rootHash));
  });
}
