/** The parts of the row of a delta. The number of its changes is limited, and they are decoded with pauses. */
import { isZeros } from "../../bytes/bytes.js";
import { toHex } from "../../bytes/hex.js";
import { count } from "../../bytes/quantity.js";
import { type Codec, Reader, ReadFailure } from "../../codec/index.js";
import type { Pause } from "../../pause.js";
import { type AnyAction, type AnyActionList, actionsIn, MOST_ACTIONS } from "../../payloads/index.js";
import type { NodeReader, RowOf } from "./rows.js";
import { unreadOf } from "./unread.js";

/** Unread changes. */
export interface UnreadActions {
  /** True if a newer node may have written them. */
  readonly mayBeLater: boolean;
  /** Their number, if they are more than {@link MOST_ACTIONS}; undefined if they do not decode. */
  readonly count: number | undefined;
}

/** Bytes of a list of actions that is decoded without pauses. */
const SHORT = 65_536;

/** Bytes of an action, at least. */
const LEAST = 33;

type DeltaValue = RowOf<"ContextDagDelta">["value"];
type StoredActions = DeltaValue["actions"];

/** The ids of the deltas that a delta follows. Zeros stand for none. */
export function parentsOf({ parents }: Pick<DeltaValue, "parents">): readonly Uint8Array[] {
  return parents.filter((parent) => !isZeros(parent));
}

/** True for a delta that stands for a state that the node took over whole. */
export function isCheckpoint(value: DeltaValue): boolean {
  return "checkpointRootHash" in value && value.checkpointRootHash !== null;
}

/** True for the actions of a checkpoint without changes. */
export function isWithout(stored: StoredActions): boolean {
  return "bytes" in stored && stored.bytes.length === 0;
}

/** The changes in a row; a long list is decoded with pauses. */
export async function actionsOf(
  stored: StoredActions,
  pause: Pause,
): Promise<readonly AnyAction[] | UnreadActions> {
  if (!("bytes" in stored)) return actionsIn(stored);
  const { bytes } = stored;
  const codec: Codec<AnyActionList> = stored.codec;
  const count = bytes.length < SHORT ? 0 : new Reader(bytes).u32();
  if (count > MOST_ACTIONS && count <= bytes.length / LEAST) return { mayBeLater: false, count };
  const read =
    bytes.length < SHORT
      ? codec.readWhole(bytes)
      : await pause.between(codec.readingWhole(new Reader(bytes)));
  if (read instanceof ReadFailure) return { mayBeLater: read.mayBeLater, count: undefined };
  return actionsIn(read);
}

/** Counts a delta with unreadable changes among the unread rows. */
export function noteUnread(
  reader: NodeReader,
  key: RowOf<"ContextDagDelta">["key"],
  { mayBeLater, count: actions }: UnreadActions,
): void {
  const reason =
    actions === undefined
      ? undefined
      : `delta ${toHex(key.deltaId).slice(0, 8)} has ${count(actions)} actions, more than ${count(MOST_ACTIONS)}: this answer lacks its changes`;
  unreadOf(reader).add("ContextDagDelta", key, mayBeLater, reason);
}
