/** The tree of groups. */
import type { GroupNode } from "merostore/node";
import type { Database } from "./database.js";
import { compareNamed } from "./order.js";

/** The namespaces with the groups below them, each by name. */
export async function namespacesOf({ node }: Database): Promise<readonly GroupNode[]> {
  return byName(await node.namespaces());
}

/** Groups by name, and those below them. */
export function byName(groups: readonly GroupNode[]): readonly GroupNode[] {
  return groups
    .map((one) => ({
      ...one,
      children: byName(one.children),
      contexts: one.contexts.toSorted(compareNamed),
    }))
    .sort((a, b) => compareNamed(a.group, b.group));
}

/** The groups of a tree, each before those below it. */
export function* allGroups(groups: readonly GroupNode[]): Generator<GroupNode> {
  for (const group of groups) {
    yield group;
    yield* allGroups(group.children);
  }
}
