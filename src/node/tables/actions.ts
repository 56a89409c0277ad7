/** The changes of a delta as its row has them: no more than a bound, decoded with pauses. */
import { toHex } from "../../bytes/hex.js";
import { count } from "../../bytes/quantity.js";
import { type Codec, Reader, ReadFailure } from "../../codec/index.js";
import type { Pause } from "../../pause.js";
import { type AnyAction, actionsIn, MOST_ACTIONS } from "../../payloads/index.js";
import type { NodeReader, RowOf } from "./rows.js";
import { unreadOf } from "./unread.js";

/** Changes that cannot be read. */
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

type StoredActions = RowOf<"ContextDagDelta">["value"]["actions"];

/** True for the changes of a checkpoint that has none. */
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
  const codec: Codec<unknown> = stored.codec;
  const count = bytes.length < SHORT ? 0 : new Reader(bytes).u32();
  if (count > MOST_ACTIONS && count <= bytes.length / LEAST) return { mayBeLater: false, count };
  let mayBeLater = false;
  // A list of core-1.0 has one of several layouts, which are tried in this order.
  for (const list of codec.inner) {
    const read = bytes.length < SHORT ? readAtOnce(stored) : await readSlowly(list, bytes, pause);
    if (!(read instanceof ReadFailure)) return read;
    mayBeLater = read.mayBeLater;
    if (bytes.length < SHORT) break;
  }
  return { mayBeLater, count: undefined };
}

function readAtOnce({ codec, bytes }: Extract<StoredActions, { readonly bytes: Uint8Array }>) {
  const read = codec.readWhole(bytes);
  return read instanceof ReadFailure ? read : actionsIn(read);
}

/** Reads a list of actions one by one. */
async function readSlowly(
  list: Codec<unknown>,
  bytes: Uint8Array,
  pause: Pause,
): Promise<readonly AnyAction[] | ReadFailure> {
  const [action] = list.inner as readonly [Codec<AnyAction>];
  const reader = new Reader(bytes);
  const actions: AnyAction[] = [];
  try {
    for (let left = reader.u32(); left > 0; left--) {
      if (pause.isLong) await pause.ifLong();
      actions.push(action.read(reader));
    }
  } catch (error) {
    if (error instanceof ReadFailure) return error;
    throw error;
  }
  return reader.left === 0 ? actions : new ReadFailure(reader.at, "the end", "more bytes");
}

/** Adds a delta whose changes cannot be read to the rows that were not read. */
export function noteUnread(
  reader: NodeReader,
  key: RowOf<"ContextDagDelta">["key"],
  { mayBeLater, count: actions }: UnreadActions,
): void {
  const reason =
    actions === undefined
      ? undefined
      : `delta ${toHex(key.deltaId).slice(0, 8)} has ${count(actions)} actions, more than ${count(MOST_ACTIONS)}: what it does is unknown to this answer`;
  unreadOf(reader).add("ContextDagDelta", key, mayBeLater, reason);
}
