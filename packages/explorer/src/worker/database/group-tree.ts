/** The tree of groups. */
import type { ContextFacts, GroupNode } from "merostore/node";
import { contextFacts } from "./context-facts.js";
import type { Database } from "./database.js";
import { compareNamed } from "./order.js";

/** The namespaces with the groups below them, the last changed first. */
export function namespacesOf(database: Database): Promise<readonly GroupNode[]> {
  return database.kept("namespaces", async () => {
    return byChange(byName(await database.node.namespaces()), await contextFacts(database));
  });
}

/** Groups by the last change of a context in them or below. Groups with the same time keep their order. */
function byChange(
  groups: readonly GroupNode[],
  facts: ReadonlyMap<string, ContextFacts>,
): readonly GroupNode[] {
  const ofContext = ({ id }: GroupNode["contexts"][number]): number => facts.get(id)?.changedAt ?? 0;
  const ofGroup = ({ contexts, children }: GroupNode): number =>
    [...contexts.map(ofContext), ...children.map(ofGroup)].reduce((a, b) => Math.max(a, b), 0);
  return groups
    .map((one) => ({
      ...one,
      children: byChange(one.children, facts),
      contexts: one.contexts.toSorted((a, b) => ofContext(b) - ofContext(a)),
    }))
    .sort((a, b) => ofGroup(b) - ofGroup(a));
}

/** Sorts groups by name, at each level. */
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
