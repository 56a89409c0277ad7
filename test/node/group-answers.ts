/** A group as a real node described it, against ours. */
import { expect } from "vitest";
import { fromBase58 } from "../../src/bytes/base58.js";
import { toHex } from "../../src/bytes/hex.js";
import type { CalimeroNode, GroupNode } from "../../src/node/index.js";

/** A node's answer about a group. */
export interface GroupAnswer {
  readonly appKey: string;
  readonly targetApplicationId: string;
  readonly memberCount: number;
  readonly contextCount: number;
  readonly defaultCapabilities: number;
  readonly subgroupVisibility: string;
  readonly metadata?: { readonly name?: string; readonly data: Readonly<Record<string, string>> };
  readonly groupStateHash: string;
}

export const hexOf = (base58: string): string => toHex(fromBase58(base58));

/** Expects that a group has the settings, names, numbers and state hash of the node's answer. */
export async function expectGroup(node: CalimeroNode, one: GroupNode, theirs: GroupAnswer): Promise<void> {
  const details = await node.groupDetails(one.group.id);
  expect({
    appKey: details?.record.meta?.appKey,
    targetApplicationId: one.application?.id,
    memberCount: one.members,
    contextCount: one.contexts.length,
    defaultCapabilities: details?.record.defaultCapabilities ?? 0,
    subgroupVisibility: one.visibility ?? "restricted",
    name: one.group.name,
    data: Object.fromEntries(details?.record.data ?? []),
    groupStateHash: details?.stateHash,
  }).toEqual({
    appKey: theirs.appKey,
    targetApplicationId: hexOf(theirs.targetApplicationId),
    memberCount: theirs.memberCount,
    contextCount: theirs.contextCount,
    defaultCapabilities: theirs.defaultCapabilities,
    subgroupVisibility: theirs.subgroupVisibility,
    name: theirs.metadata?.name,
    data: theirs.metadata?.data ?? {},
    groupStateHash: theirs.groupStateHash,
  });
}
