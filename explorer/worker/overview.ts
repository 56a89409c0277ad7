/** What is on this node. */
import type { Database } from "./database.js";

/** The answer of the overview. */
export interface Overview {
  readonly namespaces: number;
  readonly groups: number;
  readonly contexts: number;
}

export async function overview({ node }: Database): Promise<Overview> {
  const namespaces = await node.namespaces();
  return { namespaces: namespaces.length, groups: 0, contexts: 0 };
}
