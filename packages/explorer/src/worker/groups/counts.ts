/** The numbers of the navigation that need no scan of all rows. */
import { contextFacts } from "../database/context-facts.js";
import type { Database } from "../database/database.js";
import { allGroups } from "../database/group-tree.js";

/** Counts by the name of the view. */
export interface Counts {
  readonly groups: number;
  readonly state: number;
}

export async function counts(database: Database): Promise<Counts> {
  return {
    groups: [...allGroups(await database.node.namespaces())].length,
    state: (await contextFacts(database)).size,
  };
}
