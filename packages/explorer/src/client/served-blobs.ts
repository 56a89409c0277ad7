/** The blob files that the explorer's server serves. */
import { toId } from "merostore";
import type { BlobFiles } from "merostore/verify";
import { ServerRequests } from "./server-requests.js";

/**
 * The most bytes that are read of a blob's file. A chunk has at most 1 MiB, so a longer file is recognised by these bytes.
 */
export const MOST_BLOB_BYTES = 16 * 1024 * 1024 + 1;

/**
 * The blob files of a database that `merostore explore` serves. A read of one throws `NETWORK_ERROR` if the server does
 * not answer. Needs `fetch`.
 *
 * @param base the origin of the server; empty for that of the page
 * @param database its number, from 0
 * @param token the token in the fragment of the page's address
 */
export function servedBlobs(base: string, database: number, token: string): BlobFiles {
  const requests = new ServerRequests(base, token);
  return {
    async read(chunkId) {
      const path = `/api/databases/${database}/blobs/${toId(chunkId).toBase58()}`;
      const { status, bytes } = await requests.send(path, { range: { start: 0, end: MOST_BLOB_BYTES } });
      if (status === 404) return undefined;
      // A file without bytes has no range.
      return status === 416 ? new Uint8Array(0) : bytes;
    },
  };
}
