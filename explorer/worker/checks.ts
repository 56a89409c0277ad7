import type { Database } from "./database.js";

export async function checks(_database: Database): Promise<undefined> {
  return undefined;
}
