/** Contexts: their application, counters and root hash. */
import { equalBytes } from "../../bytes/order.js";
import { isPublicKey } from "../../crypto/index.js";
import { indexStateKey } from "../../digests/index.js";
import { ApplicationMeta, ContextConfig, ContextMeta, ContextState } from "../../keys/index.js";
import { core010, core011 } from "../../schemas/index.js";
import type { ContextMetaValue } from "../../values/index.js";
import type { Broken } from "../finding.js";
import { type GoodRow, on, onEach, type Rule } from "../rule.js";
import type { Tools } from "../tools.js";
import { type AnyCore, type IndexReader, indexes, indexes010 } from "./entities.js";
import { unfinished } from "./unfinished.js";

const both = [core010, core011] as const;

const contextApplication: Rule = {
  name: "context-application",
  relations: [9],
  severity: "warning",
  says: "The application of a context is there.",
  checks: [
    on(both, ContextMeta, async function* (batches, tools) {
      for await (const rows of batches) {
        tools.checked(rows.length);
        for (const [{ key, value }, { there }] of await tools.join(
          rows,
          ({ value }) => new ApplicationMeta({ applicationId: value.application }),
        )) {
          if (there) continue;
          const message = "the context's application is not there, or not there yet";
          yield { key, message, expected: value.application };
        }
      }
    }),
  ],
};

const contextConfig: Rule = {
  name: "context-config",
  relations: [11],
  severity: "error",
  says: "A context has a row of its counters, and such a row has a context.",
  pairs: true,
  checks: [
    on(both, ContextMeta, async function* (batches, tools) {
      for await (const rows of batches) {
        tools.checked(rows.length);
        for (const [{ key }, { there }] of await tools.join(
          rows,
          ({ key }) => new ContextConfig({ contextId: key.contextId }),
        )) {
          if (!there) yield { key, message: "the context has no ContextConfig row" };
        }
      }
    }),
    on(both, ContextConfig, async function* (batches, tools) {
      for await (const rows of batches) {
        tools.checked(rows.length);
        for (const [{ key }, { there }] of await tools.join(
          rows,
          ({ key }) => new ContextMeta({ contextId: key.contextId }),
        )) {
          if (!there) yield { key, message: "there is no such context" };
        }
      }
    }),
  ],
};

const contextId: Rule = {
  name: "context-id",
  relations: [12],
  severity: "info",
  says: "A context's id is an Ed25519 public key.",
  checks: [
    onEach(both, ContextMeta, function* ({ key }, tools) {
      tools.checked();
      if (!isPublicKey(key.contextId)) yield { key, message: "the context's id is no public key" };
    }),
  ],
};

const rootHash: Rule = {
  name: "root-hash",
  relations: [14],
  severity: "warning",
  says: "A context's root hash is that of its state's root, once a snapshot of it is complete.",
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
      return new ContextState({ contextId, stateKey: indexStateKey(contextId) });
    })) {
      const root = bytes === undefined ? undefined : indexes.decode(bytes);
      if (root === undefined)
        yield {
          key,
          message: "the context has a root hash, and the root of its state is not there",
          found: value.rootHash,
          // A node writes the state first, and marks a context while it replaces the state.
          severity: "error",
        };
      else if (!equalBytes(root.fullHash, value.rootHash)) {
        const message = "the root of the context's state has another hash";
        yield { key, message, found: value.rootHash, expected: root.fullHash };
      }
    }
  }
}

export const contextRules: readonly Rule[] = [contextApplication, contextConfig, contextId, rootHash];
