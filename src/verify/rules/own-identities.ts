/** The identity that this node has in a context. */

import {
  ContextIdentity,
  ContextLeftMarker,
  ContextMeta,
  GroupDeviceBinding,
  GroupReentryBlock,
} from "../../keys/index.js";
import { some } from "../batches.js";
import { on, onBatch, type Rule } from "../rule.js";
import { only010, type Since011, since011 } from "../since.js";
import type { Tools } from "../tools.js";
import { pathOfContext } from "./group-path.js";
import { type OwnNode, ownNode } from "./own-node.js";
import { unfinished } from "./unfinished.js";

export const ownIdentity: Rule = {
  name: "own-identity",
  relations: [15],
  severity: "warning",
  says: "The node has an identity of its own in a context with data, unless it left the context or its group.",
  means: "The node cannot act in the context: its own identity is not in the database.",
  advice: "Join the context again, or restore a copy of the database that has the identity.",
  checks: [
    onBatch(only010, ContextMeta, async function* (rows, tools) {
      for (const { key, value } of rows) {
        if (value.dagHeads.length === 0) continue;
        tools.checked();
        const identities = tools.scan(ContextIdentity.range({ contextId: key.contextId }));
        if (await some(identities, (identity) => identity.value.privateKey !== null)) continue;
        yield { key, message: "the context has data, and no identity with a private key" };
      }
    }),
    on(since011, ContextMeta, async function* (batches, tools) {
      const node = await ownNode(tools);
      for await (const rows of batches) {
        if (node === undefined) continue;
        const under = await unfinished(
          tools,
          rows.map(({ key }) => key.contextId),
        );
        for (const [at, { key, value }] of rows.entries()) {
          if (value.dagHeads.length === 0 || under[at] === true) continue;
          tools.checked();
          if (await hasIdentity(key.contextId, node, tools)) continue;
          if (await takesPart(key.contextId, node, tools))
            yield {
              key,
              message: "the context has data, and no identity of this node",
              expected: node.publicKey,
            };
        }
      }
    }),
  ],
};

type Rows = Since011;

/**
 * Returns whether a context has an identity of this node: one with the node's key, or one with a private key in the
 * row.
 */
async function hasIdentity(
  contextId: Uint8Array,
  { publicKey }: OwnNode,
  tools: Tools<Rows>,
): Promise<boolean> {
  const [own] = await tools.find([new ContextIdentity({ contextId, publicKey })]);
  if (own?.there) return true;
  return some(tools.scan(ContextIdentity.range({ contextId })), ({ value }) => value.privateKey !== null);
}

/**
 * Returns whether the node takes part: the context's namespace knows the node's account, which has not left and was not
 * removed, and the node has not left the context.
 */
async function takesPart(
  contextId: Uint8Array,
  { deviceId, publicKey }: OwnNode,
  tools: Tools<Rows>,
): Promise<boolean> {
  const [left] = await tools.find([new ContextLeftMarker({ contextId, publicKey })]);
  if (left?.there) return false;
  const path = await pathOfContext(contextId, tools);
  const root = path?.at(-1);
  if (path === undefined || root === undefined) return false;
  const [binding] = await tools.find([new GroupDeviceBinding({ groupId: root, deviceId })]);
  const account = binding?.value?.account;
  if (account === undefined) return false;
  const blocks = await tools.find(path.map((groupId) => new GroupReentryBlock({ groupId, account })));
  return blocks.every(({ there }) => !there);
}
