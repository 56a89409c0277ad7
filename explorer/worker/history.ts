import type { Database } from "./database.js";

export async function history(_database: Database): Promise<undefined> {
  return undefined;
}
