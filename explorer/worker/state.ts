import type { Database } from "./database.js";

export async function state(_database: Database): Promise<undefined> {
  return undefined;
}
