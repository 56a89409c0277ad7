import type { Database } from "./database.js";

export async function search(_database: Database): Promise<undefined> {
  return undefined;
}
