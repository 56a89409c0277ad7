/** The contexts of a database, without their sizes: these need a scan. */
import type { ContextFacts } from "merostore/node";
import type { Database } from "./database.js";

/** All contexts, by their ids. */
export function contextFacts(database: Database): Promise<ReadonlyMap<string, ContextFacts>> {
  return database.kept("context facts", async () => {
    const all = await database.node.contextFacts();
    return new Map(all.map((facts) => [facts.context.id, facts]));
  });
}
