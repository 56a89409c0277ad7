/** Root hashes that a watcher kept beside a node: they tell its state where deltas carry no hash. */
import { toHex } from "../../bytes/hex.js";
import { invalidArgument } from "../../errors.js";
import type { ContextReplay } from "./replay.js";

/** A root hash that a node had. */
export interface RecordedRoot {
  /** The context's id, 64 hex digits. */
  readonly context: string;
  /** The root hash, 64 hex digits. */
  readonly rootHash: string;
  /** The ids of the deltas that no applied one followed then, 64 hex digits each. */
  readonly heads: readonly string[];
}

/** A recorded moment beside what deltas lead to. */
export interface RecordedMoment {
  /** The ids of the deltas that no applied one followed then, 64 hex digits each. */
  readonly heads: readonly string[];
  /** The root hashes that the node had then, more than one where it wrote the hash before the heads. */
  readonly rootHashes: readonly string[];
  /** The root hash that the deltas lead to, 64 hex digits; undefined where it is not known, or a delta is not there. */
  readonly replayed: string | undefined;
  /** True if the node had it then; undefined where it is not known. */
  readonly agrees: boolean | undefined;
}

const ID = /^[0-9a-f]{64}$/;

/**
 * Reads lines that `watch --record` wrote.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for another line
 */
export function parseRecord(text: string): readonly RecordedRoot[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line, at) => {
      const root = parseLine(line);
      if (root === undefined)
        throw invalidArgument(`line ${at + 1} of the record is not one that watch --record writes`);
      return root;
    });
}

function parseLine(line: string): RecordedRoot | undefined {
  try {
    const { context, rootHash, heads } = JSON.parse(line) as Partial<RecordedRoot>;
    const isRight =
      ID.test(`${context}`) &&
      ID.test(`${rootHash}`) &&
      Array.isArray(heads) &&
      heads.every((id) => ID.test(`${id}`));
    return isRight ? { context: context as string, rootHash: rootHash as string, heads } : undefined;
  } catch {
    return undefined;
  }
}

/** Compares the root hashes that a node had with those that the deltas of a context lead to, in the order of the record. */
export async function* compareWithRecord(
  replay: ContextReplay,
  record: Iterable<RecordedRoot>,
): AsyncGenerator<RecordedMoment, void, undefined> {
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
