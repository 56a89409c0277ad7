/** A delta as far as its replay needs it. */
import { toHex } from "../../bytes/hex.js";
import type { RowOf } from "../../node/tables/rows.js";
import { type AnyAction, type AnyActionList, actionsIn } from "../../payloads/index.js";

/** A delta, with its place in the graph. Ids are 64 hex digits. */
export interface ReplayedDelta {
  /** The delta's id. */
  readonly id: string;
  /** The deltas that it follows; none for the first. */
  readonly parents: readonly string[];
  /** When it was made: an NTP64 timestamp, seconds since 1970 in the upper 32 bits, and the id of its node's clock. */
  readonly clock: { readonly time: bigint; readonly id: bigint };
  /** The author's Ed25519 public key, 64 hex digits; undefined where the row has none. */
  readonly author: string | undefined;
  /** The changes; undefined where they do not decode. */
  readonly actions: readonly AnyAction[] | undefined;
  /** False while the delta is pending. */
  readonly isApplied: boolean;
  /** The root hash of the state that a checkpoint stands for, 32 bytes; undefined for other deltas. */
  readonly checkpoint: Uint8Array | undefined;
  /** The author's root hash after the delta, as the row says it, 32 bytes; undefined where it does not. */
  readonly expected: Uint8Array | undefined;
}

/** A row as a delta. */
export function deltaOf({ key, value }: RowOf<"ContextDagDelta">): ReplayedDelta {
  const { actions } = value;
  const list: AnyActionList | undefined = "bytes" in actions ? actions.value : actions;
  const parents = value.parents.filter((parent) => parent.some((byte) => byte !== 0)).map(toHex);
  const expected = "expectedRootHash" in value ? value.expectedRootHash : undefined;
  // In core-0.10 a checkpoint is a first delta that changes nothing.
  const isEmpty = parents.length === 0 && list !== undefined && actionsIn(list).length === 0;
  const checkpoint =
    "checkpointRootHash" in value ? value.checkpointRootHash : isEmpty ? expected : undefined;
  return {
    id: toHex(key.deltaId),
    parents,
    clock: value.hlc,
    author: "authorId" in value && value.authorId !== null ? toHex(value.authorId) : undefined,
    actions: list && actionsIn(list),
    isApplied: value.applied,
    checkpoint: checkpoint ?? undefined,
    expected,
  };
}
