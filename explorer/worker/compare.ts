import type { Database } from "./database.js";

export async function compare(_database: Database): Promise<undefined> {
  return undefined;
}
