/** What the navigation counts beside its views. */
import type { GroupNode } from "merostore/node";
import type { Database } from "./database.js";

/** Counts by the name of the view. */
export interface Counts {
  readonly groups: number;
  readonly state: number;
}

export async function counts({ node }: Database): Promise<Counts> {
  const all = (groups: readonly GroupNode[]): number =>
    groups.reduce((sum, { children }) => sum + 1 + all(children), 0);
  return { groups: all(await node.namespaces()), state: (await node.contexts()).length };
}
