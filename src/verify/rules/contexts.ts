/** Contexts: their application, counters and root hash. */
import { equalBytes } from "../../bytes/order.js";
import { isPublicKey } from "../../crypto/index.js";
import { indexStateKey } from "../../digests/index.js";
import { ContextMeta, ContextState011 } from "../../keys/index.js";
import { core010, core011 } from "../../schemas/index.js";
import type { ContextMetaValue } from "../../values/index.js";
import { NOTHING } from "../advice.js";
import type { Broken } from "../finding.js";
import { type GoodRow, on, onEach, type Rule } from "../rule.js";
import type { Tools } from "../tools.js";
import { type AnyCore, type IndexReader, indexes, indexes010 } from "./entities.js";
import { contextApplication, contextConfig } from "./references/contexts.js";
import { unfinished } from "./unfinished.js";

const both = [core010, core011] as const;

const contextId: Rule = {
  name: "context-id",
  relations: [12],
  severity: "info",
  says: "A context's id is an Ed25519 public key.",
  means: "The id was not made by a node. Nobody can have a key for it.",
  advice: NOTHING,
  checks: [
    onEach(both, ContextMeta, function* ({ key }, tools) {
      tools.checked();
      if (!isPublicKey(key.contextId)) yield { key, message: "the context's id is not a public key" };
    }),
  ],
};

const rootHash: Rule = {
  name: "root-hash",
  relations: [14],
  severity: "error",
  says: "A context's root hash is that of its state's root, once a snapshot of it is complete.",
  means: "The context's state is not the one that the node reports to its peers. It may diverge from them.",
  advice:
    "Let the node sync the context, then verify again. If the finding stays, restore a copy that verifies.",
  checks: [
    on([core010], ContextMeta, (batches, tools) => rootHashes(batches, tools, indexes010)),
    on([core011], ContextMeta, (batches, tools) => rootHashes(batches, tools, indexes)),
  ],
};

async function* rootHashes(
  batches: AsyncIterable<readonly GoodRow<ContextMeta, ContextMetaValue>[]>,
  tools: Tools<AnyCore>,
  indexes: IndexReader,
): AsyncGenerator<Broken, void, undefined> {
  for await (const rows of batches) {
    const under = await unfinished(
      tools,
      rows.map(({ key }) => key.contextId),
    );
    const finished = rows.filter((_, at) => under[at] === false);
    tools.checked(finished.length);
    for (const [{ key, value }, { value: bytes }] of await tools.join(finished, ({ key: { contextId } }) => {
      return new ContextState011({ contextId, stateKey: indexStateKey(contextId) });
    })) {
      const root = bytes === undefined ? undefined : indexes.decode(bytes);
      if (root === undefined)
        yield {
          key,
          message: "the context has a root hash, and the root of its state is not there",
          // A node writes the state first, and marks a context while it replaces the state.
          found: value.rootHash,
        };
      else if (!equalBytes(root.fullHash, value.rootHash)) {
        const message = "the root hash is not that of the state; a crash between two writes can cause it";
        yield { key, message, found: value.rootHash, expected: root.fullHash };
      }
    }
  }
}

export const contextRules: readonly Rule[] = [contextApplication, contextConfig, contextId, rootHash];
