/**
 * Bounds of the times of operations, because hardly any operation has a time. A delta names the operations that were
 * the newest when it was made: these and all their ancestors are older than the delta. An operation is younger than
 * every joining that it follows, and joinings have times. The clocks are the authors' clocks.
 */
import { toHex } from "../../bytes/hex.js";
import { type NodeReader, rowsOf } from "../tables/rows.js";
import type { TimeBounds } from "./operation.js";
import { CausalOrder } from "./order.js";
import { type StoredOperation, storedOperations } from "./stored.js";

interface TimedOperation {
  readonly parents: readonly string[];
  /** Milliseconds since 1970. */
  after: number | undefined;
  before: number | undefined;
}

/** Reads the bounds of all operations of a namespace's log, by id. Reads all deltas. */
export async function readTimes(
  reader: NodeReader,
  namespaceId: Uint8Array,
): Promise<ReadonlyMap<string, TimeBounds>> {
  const order = new CausalOrder();
  const places = new Map<string, TimedOperation>();
  for await (const rows of storedOperations(reader, namespaceId))
    for (const stored of rows) {
      order.add(stored);
      places.set(toHex(stored.id), {
        parents: stored.parents.map(toHex),
        after: joinedAt(stored),
        before: undefined,
      });
    }
  await readDeltas(reader, places);
  const newestFirst = [...order.newestFirst()].map((id) => places.get(toHex(id)) as TimedOperation);
  for (const { parents, before } of newestFirst)
    for (const parent of parents) {
      const place = places.get(parent);
      if (place !== undefined && before !== undefined)
        place.before = Math.min(place.before ?? before, before);
    }
  for (const place of newestFirst.reverse())
    for (const parent of place.parents) {
      const after = places.get(parent)?.after;
      if (after !== undefined) place.after = Math.max(place.after ?? after, after);
    }
  // A joiner's clock that is ahead contradicts the deltas: they are many.
  for (const place of newestFirst)
    if (place.before !== undefined && place.after !== undefined && place.after > place.before)
      place.after = undefined;
  return places;
}

/**
 * Bounds the operations that each delta names. Reads the deltas of all contexts, because a context may no longer name
 * its group.
 */
async function readDeltas(reader: NodeReader, places: ReadonlyMap<string, TimedOperation>): Promise<void> {
  for await (const rows of rowsOf(reader, "ContextDagDelta"))
    for (const { value } of rows) {
      if (!("governancePositionBlob" in value) || value.hlc.time === 0n) continue;
      // Whole seconds, rounded up: an operation is not younger than the delta that names it.
      const time = (Number(value.hlc.time >> 32n) + 1) * 1000;
      for (const head of value.governancePositionBlob?.value?.governanceDagHeads ?? []) {
        const place = places.get(toHex(head));
        if (place !== undefined) place.before = Math.min(place.before ?? time, time);
      }
    }
}

/** The last moment that a calendar has, in milliseconds since 1970. */
const LAST = 8.64e15;

/** The time that a joining has, by the joiner's clock; undefined for one that no calendar has. */
function joinedAt({ signed }: StoredOperation): number | undefined {
  if (signed?.op.kind !== "Root" || signed.op.value.kind !== "MemberJoinedAt") return undefined;
  const time = Number(signed.op.value.joinedAt) * 1000;
  return time <= LAST ? time : undefined;
}
