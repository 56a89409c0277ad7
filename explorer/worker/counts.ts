/** What the navigation counts beside its views, as far as no scan of all rows is needed. */
import type { GroupNode } from "merostore/node";
import type { Database } from "./database.js";

/** Counts by the name of the view. */
export interface Counts {
  readonly groups: number;
  readonly state: number;
}

export async function counts({ node }: Database): Promise<Counts> {
  return { groups: countGroups(await node.namespaces()), state: (await node.contextFacts()).length };
}

/** The groups of a tree, namespaces among them. */
export function countGroups(groups: readonly GroupNode[]): number {
  return groups.reduce((sum, { children }) => sum + 1 + countGroups(children), 0);
}
