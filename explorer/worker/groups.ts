import type { Database } from "./database.js";

export async function groups(_database: Database): Promise<undefined> {
  return undefined;
}
