import { isZeros } from "../../bytes/bytes.js";
import { equalBytes } from "../../bytes/order.js";
import { ContextMeta, snapshotKey } from "../../keys/index.js";
import type { Since010 } from "../since.js";
import type { Tools } from "../tools.js";

/** Tells of one context after another whether its state is not complete; the last answer is remembered. */
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

/** Of each context, whether its state is not complete: a snapshot of it is being fetched, or none was as yet. */
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
