/** Finds commits and pieces that earlier processes left, from the keys of rows, in batches. Reads no values. */
import type { ByteRange, EngineReader } from "merostore/engine";
import { compareBytes, keyAfter } from "merostore/internal";
import { DIGEST_SIZE, type ObjectDigest } from "../objects.js";
import {
  commitEdgeRow,
  commitRow,
  eagerEdgeRow,
  lazyEdgeRow,
  type PieceStatus,
  statusRows,
} from "../rows/page-rows.js";
import { COLUMN } from "../rows/row.js";
import type { PieceStore } from "./piece-store.js";

/** The rows of a batch. */
const BATCH = 1024;

/** Yields the ids of stored commits. */
export async function* storedCommits(engine: EngineReader): AsyncGenerator<Uint8Array[], void, undefined> {
  for await (const keys of batches(engine, commitRow.range()))
    yield keys.flatMap((key) => commitRow.key.parse(key)?.commit ?? []);
}

/**
 * Yields the digests of stored pieces that no edge leads to. It starts at a random place, so that short sessions
 * together cover the whole page.
 *
 * @param pieces notes the statuses of all pieces
 */
export async function* piecesWithoutEdges(
  engine: EngineReader,
  statuses: readonly PieceStatus[],
  pieces: PieceStore,
): AsyncGenerator<ObjectDigest[], void, undefined> {
  for (const status of statuses) {
    const row = statusRows[status];
    const { gte: from, lt: to } = row.range();
    const middle = row.key.encode({ identifier: { keyIndex: 0, digest: randomDigest() } });
    for (const range of [
      { gte: middle, lt: to },
      { gte: from, lt: middle },
    ])
      for await (const keys of batches(engine, range)) {
        const identifiers = keys.flatMap((key) => row.key.parse(key)?.identifier ?? []);
        for (const { keyIndex } of identifiers) pieces.noteStatus(status, keyIndex);
        const digests = identifiers.map(({ digest }) => digest);
        yield await withoutEdges(engine, digests);
      }
  }
}

/** Returns the digests that no edge leads to. They must be in ascending order. */
async function withoutEdges(engine: EngineReader, digests: readonly ObjectDigest[]): Promise<ObjectDigest[]> {
  const [first, last] = [digests[0], digests.at(-1)];
  if (first === undefined || last === undefined) return [];
  // Edges from commits come before those from pieces.
  const { gte: from } = commitEdgeRow.range({ destination: first });
  const { lt: to } = lazyEdgeRow.range({ destination: last });
  const found: ObjectDigest[] = [];
  let at = 0;
  for await (const keys of engine.scan(COLUMN, { gte: from, lt: to }).keys().chunks())
    for (const key of keys) {
      const destination = key.subarray(DESTINATION, DESTINATION + DIGEST_SIZE);
      for (; at < digests.length; at++) {
        const digest = digests[at] as ObjectDigest;
        const order = compareBytes(digest, destination);
        if (order > 0) break;
        if (order < 0) found.push(digest);
      }
    }
  found.push(...digests.slice(at));
  return found;
}

/** The offset of the destination in the key of an edge. */
const DESTINATION = eagerEdgeRow.key.prefix({}).length;

/** Yields the keys of a range in batches. No iterator stays open between batches. */
async function* batches(
  engine: EngineReader,
  { gte: from, lt: to }: ByteRange,
): AsyncGenerator<readonly Uint8Array[], void, undefined> {
  for (let next = from; ; ) {
    const keys = await engine.scan(COLUMN, { gte: next, lt: to }, { limit: BATCH }).keys().toArray();
    const last = keys.at(-1);
    if (last === undefined) return;
    yield keys;
    next = keyAfter(last);
  }
}

function randomDigest(): ObjectDigest {
  const digest = crypto.getRandomValues(new Uint8Array(DIGEST_SIZE));
  digest[0] = (digest[0] as number) & 0x06;
  return digest;
}
