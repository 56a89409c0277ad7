/** Contexts: their application, counters and root hash. */
import { equalBytes } from "../../bytes/order.js";
import { isPublicKey } from "../../crypto/index.js";
import { entryStateKey, indexStateKey } from "../../digests/index.js";
import { type AnyKey, ContextMeta, ContextState011 } from "../../keys/index.js";
import { EARLIER_STATE, isEarlierEntity } from "../../layouts/index.js";
import type { ContextMetaValue } from "../../values/index.js";
import { NOTHING } from "../advice.js";
import type { RowFinding } from "../finding.js";
import { type GoodRow, type KindCheck, onBatch, onEach, type Rule } from "../rule.js";
import { type Since010, since010 } from "../since.js";
import type { Found, Tools } from "../tools.js";
import { contextApplication, contextConfig } from "./references/contexts.js";
import type { StateLayout } from "./state-layout.js";
import { stateLayouts } from "./state-layouts.js";
import { unfinished } from "./unfinished.js";

const contextId: Rule = {
  name: "context-id",
  relations: [12],
  severity: "info",
  says: "A context's id is an Ed25519 public key.",
  means: "The id was not made by a node. Nobody can have a key for it.",
  advice: NOTHING,
  checks: [
    onEach(since010, ContextMeta, function* ({ key }, tools) {
      tools.checked();
      if (!isPublicKey(key.contextId)) yield { key, message: "the context's id is not a public key" };
    }),
  ],
};

const rootHash: Rule = {
  name: "root-hash",
  relations: [14],
  severity: "error",
  says: "A context's root hash is its root entity's full hash, once a snapshot of it is complete.",
  means: "The context's state is not the one that the node reports to its peers. It may diverge from them.",
  advice:
    "Let the node sync the context, then verify again. If the finding stays, restore a copy that verifies.",
  checks: stateLayouts.map(rootHashCheck),
};

/** The check of root hashes against State in a layout. */
export function rootHashCheck(layout: StateLayout): KindCheck {
  return onBatch(layout.revisions as readonly Since010[], ContextMeta, (rows, tools) =>
    rootHashes(rows, tools, layout),
  );
}

async function* rootHashes(
  rows: readonly GoodRow<ContextMeta, ContextMetaValue>[],
  tools: Tools<Since010>,
  layout: StateLayout,
): AsyncGenerator<RowFinding, void, undefined> {
  const under = await unfinished(
    tools,
    rows.map(({ key }) => key.contextId),
  );
  const finished = rows.filter((_, at) => under[at] === false);
  tools.checked(finished.length);
  const find = async (keys: readonly AnyKey[]) =>
    (await tools.find(keys as readonly ContextState011[])) as readonly Found<Uint8Array>[];
  const rootKeys = finished.map(({ key: { contextId } }) => layout.indexKey(contextId, contextId));
  const roots = await find(rootKeys);
  for (const [at, { key, value }] of finished.entries()) {
    const bytes = roots[at]?.value;
    const expected = bytes && layout.fullHashIn(rootKeys[at] as AnyKey, bytes);
    if (expected === undefined && (await isEarlierState(key.contextId, tools))) {
      const message = `the state of the context is of ${EARLIER_STATE}: it is not read`;
      yield { key, message, severity: "info" };
    } else if (expected === undefined)
      yield {
        key,
        message: "the context has a root hash, and the root of its state is not there",
        // A crash does not explain it: a node writes the state first, and marks a context while it replaces the state.
        found: value.rootHash,
      };
    else if (!equalBytes(expected, value.rootHash)) {
      const message = "the state has another root hash; a crash between two writes can cause it";
      yield { key, message, found: value.rootHash, expected };
    }
  }
}

/**
 * Returns true if a version between two revisions wrote the root of the state, whatever the revision of the other rows.
 */
async function isEarlierState(contextId: Uint8Array, tools: Tools<Since010>): Promise<boolean> {
  const [record, entry] = await tools.bytesAt(
    [indexStateKey(contextId), entryStateKey(contextId)].map(
      (stateKey) => new ContextState011({ contextId, stateKey }),
    ),
  );
  return record !== undefined && entry !== undefined && isEarlierEntity(contextId, record, entry);
}

export const contextRules: readonly Rule[] = [contextApplication, contextConfig, contextId, rootHash];
