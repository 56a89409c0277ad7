/** A delta as far as its replay needs it. */
import { equalBytes } from "../../bytes/order.js";
import { actionsOf, isWithout, parentsOf, type UnreadActions } from "../../node/tables/actions.js";
import type { RowOf } from "../../node/tables/rows.js";
import { Pause } from "../../pause.js";
import type { AnyAction } from "../../payloads/index.js";

/** A delta, with its place in the graph. */
export interface DeltaOfRow {
  /** The delta's id, 32 bytes. */
  readonly deltaId: Uint8Array;
  /** The ids of its parents, 32 bytes each; empty for the first delta. */
  readonly follows: readonly Uint8Array[];
  /** When it was made: an NTP64 timestamp, seconds since 1970 in the upper 32 bits, and the id of its node's clock. */
  readonly clock: { readonly time: bigint; readonly id: bigint };
  /** The author's Ed25519 public key, 32 bytes; undefined if the row has none. */
  readonly authorId: Uint8Array | undefined;
  /** The changes; undefined if they cannot be read. */
  readonly actions: readonly AnyAction[] | undefined;
  /** The reason why they cannot be read; undefined if they can, and for a checkpoint without changes. */
  readonly unread: UnreadActions | undefined;
  /** The author's root hash that the changes carry; undefined if they carry none. */
  readonly witness: Witness | undefined;
  /**
   * The device that signed one of the changes, 32 bytes; undefined if no change is signed, or the signature does not
   * name it.
   */
  readonly signer: Uint8Array | undefined;
  /** True if a change is signed: then nodes check that its account may make it. */
  readonly isSigned: boolean;
  /** False while the delta is pending. */
  readonly isApplied: boolean;
  /** The root hash of the state that a checkpoint stands for, 32 bytes; undefined for other deltas. */
  readonly checkpoint: Uint8Array | undefined;
  /** The author's root hash after the delta, 32 bytes; undefined if the row does not have it. */
  readonly expected: Uint8Array | undefined;
}

/** The root hash of an author's state within a delta. */
export interface Witness {
  /** The change after which the state had the hash. */
  readonly at: number;
  /** 32 bytes. */
  readonly hash: Uint8Array;
}

/** A row as a delta. A long list of actions is decoded with pauses. */
export async function deltaOf(
  { key, value }: RowOf<"ContextDagDelta">,
  pause = new Pause(),
): Promise<DeltaOfRow> {
  const read = await actionsOf(value.actions, pause);
  const list = "count" in read ? undefined : read;
  // `Compare` actions, which nodes do not store, change nothing.
  const actions = list?.some(({ kind }) => kind === "Compare")
    ? list.filter(({ kind }) => kind !== "Compare")
    : list;
  await pause.ifLong();
  const parents = parentsOf(value);
  const expected = "expectedRootHash" in value ? value.expectedRootHash : undefined;
  // In core-0.10 a checkpoint is a first delta that changes nothing.
  const isEmpty = parents.length === 0 && actions?.length === 0;
  const checkpoint =
    "checkpointRootHash" in value ? value.checkpointRootHash : isEmpty ? expected : undefined;
  return {
    deltaId: key.deltaId,
    follows: parents,
    clock: value.hlc,
    authorId: ("authorId" in value && value.authorId) || undefined,
    actions,
    unread: "count" in read && !isWithout(value.actions) ? read : undefined,
    witness: actions && witnessIn(actions, key.contextId),
    signer: actions && signerOf(actions),
    isSigned: actions?.some(isSigned) ?? false,
    isApplied: value.applied,
    checkpoint: checkpoint ?? undefined,
    expected,
  };
}

/**
 * The last change that names ancestors has the author's root hash after it: the hash of the last ancestor. In
 * core-0.10, the delta has the root hash; in core-1.0, nothing has it.
 *
 * @upstream storage/src/interface.rs:4106; storage/src/index.rs:648
 */
function witnessIn(actions: readonly AnyAction[], root: Uint8Array): Witness | undefined {
  for (let at = actions.length - 1; at >= 0; at--) {
    const action = actions[at];
    const last = action !== undefined && "ancestors" in action ? action.ancestors.at(-1) : undefined;
    if (last !== undefined && "merkleHash" in last && equalBytes(last.id, root))
      return { at, hash: last.merkleHash };
  }
  return undefined;
}

function isSigned(action: AnyAction): boolean {
  const kind = action.kind === "Compare" ? "Public" : action.metadata.storageType.kind;
  return kind !== "Public" && kind !== "Frozen";
}

function signerOf(actions: readonly AnyAction[]): Uint8Array | undefined {
  for (const action of actions) {
    const type = action.kind === "Compare" ? undefined : action.metadata.storageType;
    if (type === undefined || type.kind === "Public" || type.kind === "Frozen") continue;
    const data = type.signatureData;
    if (data !== null && "signer" in data && data.signer !== null) return data.signer;
  }
  return undefined;
}
