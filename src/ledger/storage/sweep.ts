/** Finds what a process has left behind: from the rows alone, some hundreds at a time. Values are not read. */
import { compareBytes, keyAfter } from "../../bytes/order.js";
import type { ByteRange, EngineReader, RawRow } from "../../engine/engine.js";
import { DIGEST_SIZE, type ObjectDigest } from "../objects/digest.js";
import {
  commitRow,
  eagerReferenceRow,
  lazyReferenceRow,
  type PieceStatus,
  statusRows,
} from "../rows/page-rows.js";
import { COLUMN } from "../rows/row.js";

/** Rows that are read at once. */
const ROWS = 1024;

/** The ids of stored commits. */
export async function* storedCommits(engine: EngineReader): AsyncGenerator<Uint8Array[], void, undefined> {
  for await (const rows of batches(engine, commitRow.range()))
    yield rows.flatMap(({ key }) => commitRow.key.parse(key)?.commit ?? []);
}

/**
 * The digests of stored pieces that no row of a reference leads to. Each status begins anywhere: a page that is never open
 * for long enough is swept part by part.
 */
export async function* unreferencedPieces(
  engine: EngineReader,
  statuses: readonly PieceStatus[],
): AsyncGenerator<ObjectDigest[], void, undefined> {
  for (const status of statuses) {
    const row = statusRows[status];
    const { from, to } = row.range();
    const middle = row.key.encode({ identifier: { keyIndex: 0, digest: randomDigest() } });
    for (const range of [
      { from: middle, to },
      { from, to: middle },
    ])
      for await (const rows of batches(engine, range)) {
        const digests = rows.flatMap(({ key }) => row.key.parse(key)?.identifier.digest ?? []);
        yield await withoutReferences(engine, digests);
      }
  }
}

/** Those of some digests, given in ascending order, that no row of a reference leads to. */
async function withoutReferences(
  engine: EngineReader,
  digests: readonly ObjectDigest[],
): Promise<ObjectDigest[]> {
  const [first, last] = [digests[0], digests.at(-1)];
  if (first === undefined || last === undefined) return [];
  const from = eagerReferenceRow.key.prefix({ destination: first });
  const { to } = lazyReferenceRow.range({ destination: last });
  const found: ObjectDigest[] = [];
  let at = 0;
  for await (const rows of engine.scan(COLUMN, { from, to }, { keysOnly: true }).chunks())
    for (const { key } of rows) {
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

/** Where in the key of a reference the digest lies to which it leads. */
const DESTINATION = eagerReferenceRow.key.prefix({}).length;

/** The rows of a range, without an iterator that stays open while they are used. */
async function* batches(
  engine: EngineReader,
  { from, to }: ByteRange,
): AsyncGenerator<readonly RawRow[], void, undefined> {
  for (let next = from; ; ) {
    const rows: RawRow[] = [];
    const options = { keysOnly: true, limit: ROWS };
    for await (const chunk of engine.scan(COLUMN, { from: next, to }, options).chunks()) rows.push(...chunk);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    next = keyAfter(last.key);
  }
}

function randomDigest(): ObjectDigest {
  const digest = crypto.getRandomValues(new Uint8Array(DIGEST_SIZE));
  digest[0] = (digest[0] as number) & 0x06;
  return digest;
}
