/** Rows of deltas since core-1.0: four layouts, which the key of a row tells apart. */
import { copyBytes } from "../bytes/bytes.js";
import { equalBytes } from "../bytes/order.js";
import {
  b32,
  b64,
  bool,
  bytes,
  type Codec,
  type Decoded,
  type Layouts,
  option,
  payload,
  type Reader,
  ReadFailure,
  struct,
  textual,
  Untagged,
  type UntaggedOf,
  untagged,
  vec,
} from "../codec/index.js";
import { ActionList011 } from "./action.js";
import { ActionList } from "./action-list.js";
import { GovernanceParentEdge } from "./delta.js";
import { compactDelta, MAGIC } from "./delta-row-compact.js";
import { HybridTimestamp, HybridTimestamp011 } from "./hybrid-timestamp.js";
import { Delegation, DelegationA, DelegationB } from "./warrant.js";

/** Version of the genesis of every account that a node makes. */
const GENESIS_VERSION = 2;
const deltaDelegation = {
  /** The layout of today, since 0.11.0-rc.83 or before. */
  C: Delegation,
  /** The second layout: the warrant has no key of the executor and no release. */
  B: DelegationB,
  /** The first layout, since 0.11.0-rc.26. */
  A: DelegationA,
};

/**
 * The permission to make a delta for another account, with its proofs, to the end of the row. `C` is the layout of
 * today's nodes. From 714 bytes.
 */
export const DeltaDelegation: Codec<DeltaDelegation> = untagged(
  "DeltaDelegation",
  deltaDelegation,
  ({ authorProof, executorProof }) =>
    authorProof.genesis.version === GENESIS_VERSION && executorProof.genesis.version === GENESIS_VERSION,
);
export type DeltaDelegation = UntaggedOf<typeof deltaDelegation>;

const start = {
  /** The delta's id, 32 bytes, as in the key: SHA-256 of its parents and actions, but any bytes for a checkpoint. */
  deltaId: b32,
  /** Ids of the deltas that it follows, 32 bytes each; 32 zeros stand for the beginning. */
  parents: vec(b32),
} as const;

const end = {
  /** False while the delta is pending. */
  applied: bool,
  /** Of a checkpoint: the root hash of the state, 32 bytes. Null in all other deltas. */
  checkpointRootHash: option(b32),
  /** JSON list of events {kind, data, handler}; null in own deltas, and mostly once handled. */
  events: option(textual(bytes)),
  /** The author's Ed25519 public key, 32 bytes; null without a signature. */
  authorId: option(b32),
  /** The position of governance when the delta was made, in a byte string, or null. */
  governancePositionBlob: option(payload(bytes, GovernanceParentEdge)),
  /** Ed25519 signature by the author over the delta's envelope, 64 bytes; null for the first delta and checkpoints. */
  deltaSignature: option(b64),
} as const;

function delegated<H>(hlc: Codec<H>) {
  return struct("ContextDagDelta", {
    ...start,
    /** The changes. */
    actions: payload(bytes, ActionList),
    /** When the delta was made. */
    hlc,
    ...end,
    /** The permission of another account to make the delta, or null. */
    delegation: option(DeltaDelegation),
  });
}

/** A causal delta in core-0.11. From 70 bytes. */
export const ContextDagDeltaValue011 = struct("ContextDagDelta", {
  ...start,
  /** The changes: a list of actions in a byte string. */
  actions: payload(bytes, ActionList011),
  /** When the delta was made. */
  hlc: HybridTimestamp011,
  ...end,
});
export type ContextDagDeltaValue011 = Decoded<typeof ContextDagDeltaValue011>;

const layouts = {
  /** Flags and varints: the row has no id. */
  v1: compactDelta(DeltaDelegation),
  /** Borsh, with a timestamp of 16 bytes. */
  "legacy-16-delegation": delegated(HybridTimestamp),
  /** Borsh, with a timestamp of 24 bytes. */
  "legacy-24-delegation": delegated(HybridTimestamp011),
  /** Borsh, as core-0.11 writes it. */
  "legacy-24": ContextDagDeltaValue011,
} as const;

const BORSH = ["legacy-16-delegation", "legacy-24-delegation", "legacy-24"];

class DeltaRowCodec<L extends Layouts> extends Untagged<UntaggedOf<L>> {
  readonly #id: Uint8Array | undefined;

  constructor(rowLayouts: L, id?: Uint8Array) {
    super("ContextDagDelta", rowLayouts);
    this.#id = id && copyBytes(id);
  }

  override read(reader: Reader): UntaggedOf<L> {
    const { at, bytes: all } = reader;
    const isCompact = equalBytes(all.subarray(at, at + MAGIC.length), MAGIC);
    const id = this.#id;
    if (!isCompact || (id !== undefined && equalBytes(all.subarray(at, at + id.length), id)))
      return this.readAs(reader, BORSH);
    try {
      return this.readAs(reader, ["v1"]);
    } catch (failure) {
      if (id !== undefined || !(failure instanceof ReadFailure)) throw failure;
      reader.at = at;
      return this.#readBorsh(reader, failure);
    }
  }

  /** Without the key, a row that begins as version 1 may be in Borsh, with an id that begins so. */
  #readBorsh(reader: Reader, failure: ReadFailure): UntaggedOf<L> {
    try {
      return this.readAs(reader, BORSH);
    } catch {
      throw failure;
    }
  }
}

function codecOf<L extends Layouts>(rowLayouts: L, id?: Uint8Array): Codec<UntaggedOf<L>> {
  return new DeltaRowCodec(rowLayouts, id);
}

/**
 * The codec of the row of the delta `id`, 32 bytes. A row that begins with the id is in Borsh; any other row that
 * begins with CD 01 is of version 1. A value has the name of its layout as `kind`, so that it is written as it was
 * read. New rows are of `v1`.
 */
export function deltaRow(id: Uint8Array): Codec<DeltaRow> {
  return codecOf(layouts, id);
}

/**
 * The same without the key, as a node reads it: rows that begin with CD 01 are of version 1 if they decode so. It
 * mistakes about one of 10,000 rows in Borsh whose id begins with CD 01. From 21 bytes.
 */
export const DeltaRow = codecOf(layouts);
/** A delta: its fields, and the name of the layout of its row as `kind`. */
export type DeltaRow = Decoded<typeof DeltaRow>;
