import type { Database } from "./database.js";

export async function rows(_database: Database): Promise<undefined> {
  return undefined;
}
