/** The page's client of the explorer's server: databases, their files and their blobs. */
import { requestDatabases, type ServedDatabaseInfo } from "./served-databases.js";
import { ServerRequests, unexpected } from "./server-requests.js";

export { MOST_BLOB_BYTES, servedBlobs } from "./served-blobs.js";
export type { ServedDatabaseInfo } from "./served-databases.js";
export { servedFiles } from "./served-files.js";
export { type SqlColumn, type SqlRows, type SqlTable, servedRows, servedTables } from "./served-sql.js";

/**
 * The databases that the server serves, one or two. The place of a database in the list is its number.
 *
 * @param base the origin of the server; empty for that of the page
 * @param token the token in the fragment of the page's address
 * @throws MerostoreError NETWORK_ERROR
 */
export function servedDatabases(base: string, token: string): Promise<readonly ServedDatabaseInfo[]> {
  return requestDatabases(new ServerRequests(base, token));
}

/**
 * The master key of a database that the server serves.
 *
 * @param base the origin of the server; empty for that of the page
 * @param database its number, from 0
 * @param token the token in the fragment of the page's address
 * @throws MerostoreError NETWORK_ERROR
 */
export async function servedKey(base: string, database: number, token: string): Promise<Uint8Array> {
  const { status, bytes } = await new ServerRequests(base, token).send(`/api/databases/${database}/key`);
  if (status !== 200) throw unexpected();
  return bytes;
}
