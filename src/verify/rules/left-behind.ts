/** Rows about contexts that are gone. */

import {
  AbsorbBufferKey,
  type AnyKey,
  ContextActivatedBlob,
  ContextActivatedStateVersion,
  ContextAuthoredRemaining,
  ContextDagDelta,
  ContextExecutingBlob,
  ContextIdentity,
  ContextLeftMarker,
  ContextMeta,
  ContextMigrationFailed,
  ContextPrivateState,
  ContextResyncRequested,
  ContextState,
  SortedIndex,
  SortedIndexMeta,
} from "../../keys/index.js";
import { core010, core011 } from "../../schemas/index.js";
import { runsOfBatch } from "../batches.js";
import type { Broken } from "../finding.js";
import { on, type Rule } from "../rule.js";
import type { Tools } from "../tools.js";
import { NOTHING } from "./advice.js";
import type { AnyCore } from "./entities.js";

const inBoth = [ContextIdentity, ContextState, ContextPrivateState, ContextDagDelta] as const;
const only011 = [
  ContextAuthoredRemaining,
  ContextLeftMarker,
  SortedIndex,
  SortedIndexMeta,
  AbsorbBufferKey,
  ContextMigrationFailed,
  ContextExecutingBlob,
  ContextActivatedBlob,
  ContextActivatedStateVersion,
  ContextResyncRequested,
] as const;

/** One finding for all rows of a kind that are about the same context. */
async function* withoutContext(
  batches: AsyncIterable<readonly { readonly key: AnyKey & { readonly contextId: Uint8Array } }[]>,
  tools: Tools<AnyCore>,
): AsyncGenerator<Broken, void, undefined> {
  let count = 0;
  let first: Broken["key"] | undefined;
  for await (const pieces of runsOfBatch(batches, ({ key }) => key.contextId)) {
    const metas = await tools.join(pieces, ({ id }) => new ContextMeta({ contextId: id }));
    for (const [{ rows, begins, ends }, { there }] of metas) {
      if (begins) {
        first = there ? undefined : rows[0]?.key;
        count = 0;
        tools.checked();
      }
      count += rows.length;
      if (ends && first !== undefined) {
        const message = "the first of the rows of a context that is gone, or is not there yet";
        yield { key: first, message, found: `${count} ${count === 1 ? "row" : "rows"}` };
      }
    }
  }
}

export const leftBehind: Rule = {
  name: "left-behind",
  relations: [21],
  severity: "info",
  says: "Rows about a context have that context; deleting it leaves its deltas and private state behind.",
  means: "The context was deleted, or the node has not joined it yet. Its remaining rows take up space.",
  advice: NOTHING,
  checks: [
    ...inBoth.map((kind) => on([core010, core011], kind, withoutContext)),
    ...only011.map((kind) => on([core011], kind, withoutContext)),
  ],
};
