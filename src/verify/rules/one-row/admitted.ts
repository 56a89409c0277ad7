/** The counts of entries that a node keeps for the collections that it admits. */
import { equalBytes } from "../../../bytes/order.js";
import { admittedCountId } from "../../../digests/index.js";
import { SortedIndexMeta } from "../../../keys/index.js";
import type { Pause } from "../../../pause.js";
import type { Found } from "../../tools.js";
import type { StateFindings } from "./findings.js";
import { contextOf, type Entity } from "./rows.js";
import type { Finder } from "./walk.js";

/** A trie whose first row was read. */
export interface CountedTrie {
  readonly entity: Entity;
  /** The hash of the first row, 32 bytes. */
  readonly hash: Uint8Array;
  /** The number of children that the first row states. */
  readonly children: bigint;
}

const HASH = 32;
/** The hash of the trie, the kind of the collection (at least one byte), and two counts. */
const SHORTEST = HASH + 1 + 8 + 8;

/**
 * Compares the counts of collections with their tries. Counts for another hash are out of date: the node counts again.
 */
export async function lookAtCounts(
  tries: readonly CountedTrie[],
  tools: Finder,
  findings: StateFindings,
  pause: Pause,
): Promise<void> {
  const keys: SortedIndexMeta[] = [];
  for (const { entity } of tries) {
    const contextId = contextOf(entity.key);
    keys.push(new SortedIndexMeta({ contextId, collectionId: admittedCountId(entity.index.id) }));
    if (pause.isLong) await pause.ifLong();
  }
  const rows = (await tools.find(keys)) as readonly Found<Uint8Array>[];
  for (const [at, { hash, children }] of tries.entries()) {
    const value = rows[at]?.value;
    if (value === undefined || value.length < SHORTEST) continue;
    if (!equalBytes(value.subarray(0, HASH), hash)) continue;
    findings.checked("admitted-count");
    const counts = new DataView(value.buffer, value.byteOffset + value.length - 16, 16);
    const most = [counts.getBigUint64(0, true), counts.getBigUint64(8, true)].find((n) => n > children);
    if (most === undefined) continue;
    const message = "more entries of the collection are counted than it has";
    const key = keys[at] as SortedIndexMeta;
    findings.add("admitted-count", { key, message, found: most, expected: `at most ${children}` });
  }
}
