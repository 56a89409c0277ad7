/** Walks through the tree of groups. */
import type { GroupNode } from "merostore/node";

/** The groups of a tree, each before those below it. */
export function* allGroups(groups: readonly GroupNode[]): Generator<GroupNode> {
  for (const group of groups) {
    yield group;
    yield* allGroups(group.children);
  }
}
