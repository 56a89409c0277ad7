/** Compares replayed states with the root hashes that a watcher recorded. */
import { toHex } from "../../bytes/hex.js";
import { checkArgument, isIterable } from "../../options.js";
import { isReplay } from "../arguments.js";
import type { RecordedRoot } from "./record.js";
import type { ContextReplay } from "./replay.js";

/** A recorded moment, compared with the replay. */
export interface RecordedMoment {
  /** The ids of the heads at that moment, 64 hex digits each. */
  readonly heads: readonly string[];
  /** The root hashes that the node had then; more than one if it wrote the hash before the heads. */
  readonly rootHashes: readonly string[];
  /** The root hash that the replay gives, 64 hex digits; undefined if it is not known, or a delta is not there. */
  readonly replayed: string | undefined;
  /** True if the node had this hash then; undefined if the replayed hash is not known. */
  readonly agrees: boolean | undefined;
}

/** Compares the recorded root hashes of a node with the replay of a context's deltas, in the order of the record. */
export async function* compareWithRecord(
  replay: ContextReplay,
  record: Iterable<RecordedRoot>,
): AsyncGenerator<RecordedMoment, void, undefined> {
  checkArgument("compareWithRecord", replay, isReplay);
  checkArgument("compareWithRecord", record, isIterable);
  const moments = new Map<string, { readonly heads: readonly string[]; readonly rootHashes: Set<string> }>();
  for (const { context, heads, rootHash } of record) {
    if (context !== replay.contextId || heads.length === 0) continue;
    const name = heads.toSorted().join();
    const moment = moments.get(name) ?? { heads, rootHashes: new Set() };
    moments.set(name, moment);
    moment.rootHashes.add(rootHash);
  }
  for (const { heads, rootHashes } of moments.values()) {
    const isThere = await replay.moveToHeads(heads);
    const replayed = isThere && replay.rootHash !== undefined ? toHex(replay.rootHash) : undefined;
    const agrees = replayed === undefined ? undefined : rootHashes.has(replayed);
    yield { heads, rootHashes: [...rootHashes], replayed, agrees };
  }
}
