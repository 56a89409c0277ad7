/** Parts of deltas of core-0.11, and records that wait until a delta can be applied. */

import { toHex } from "../bytes/hex.js";
import { b12, b32, b64, bytes, checked, type Decoded, option, struct, u8, u64, vec } from "../codec/index.js";
import { HybridTimestamp, HybridTimestamp011 } from "./hybrid-timestamp.js";
import { Writers011 } from "./storage-type.js";

/** The position of governance when a delta was made: at most 32 heads, none twice. From 4 bytes. */
export const GovernanceParentEdge = struct("GovernanceParentEdge", {
  /** Heads of the namespace's operations: ids of 32 bytes, at most 32, none twice. */
  governanceDagHeads: checked(
    vec(b32),
    "at most 32 heads, none twice",
    (heads) => heads.length <= 32 && new Set(heads.map(toHex)).size === heads.length,
  ),
});
export type GovernanceParentEdge = Decoded<typeof GovernanceParentEdge>;

/** An operation on a leaf that was not applied yet, and the application that wrote it. From 36 bytes. */
export const AbsorbLeaf = struct("AbsorbLeaf", {
  /** The operation, as received. */
  leafBytes: bytes,
  /** App key of the application that wrote it, 32 bytes. */
  schemaAppKey: b32,
});
export type AbsorbLeaf = Decoded<typeof AbsorbLeaf>;

/** An entity that was not applied yet: its data and its index row as they came. From 72 bytes. */
export const AbsorbEntity = struct("AbsorbEntity", {
  /** The entity's id, 32 bytes. */
  id: b32,
  /** The bytes of its entry row. */
  entry: bytes,
  /** The bytes of its index row. */
  index: bytes,
  /** App key of the application that wrote it, 32 bytes. */
  schemaAppKey: b32,
});
export type AbsorbEntity = Decoded<typeof AbsorbEntity>;

const absorbedBefore = {
  /** The delta's id, 32 bytes, as in the row's key. */
  id: b32,
  /** Ids of the deltas that it follows, 32 bytes each. */
  parents: vec(b32),
} as const;

const absorbedAfter = {
  /** Of a delta: encrypted under the group's key. */
  payload: bytes,
  /** AES-GCM nonce of the payload, 12 bytes. */
  nonce: b12,
  /** The author's Ed25519 public key, 32 bytes. */
  authorId: b32,
  /** The peer that sent it. */
  sourcePeer: bytes,
  /** Id of the group's key: SHA-256 of the key, 32 bytes. */
  keyId: b32,
  /** The position of governance when the delta was made, or null. */
  governancePosition: option(GovernanceParentEdge),
  /** Ed25519 signature by the author over the delta's envelope, 64 bytes, or null. */
  deltaSignature: option(b64),
  /** A count of attempts, from 0 to 255. */
  governanceDrainAttempts: u8,
  /** App key of the application that made the delta, 32 bytes, or null. */
  producingAppKey: option(b32),
  /** An operation on a leaf; null in other records. */
  leaf: option(AbsorbLeaf),
  /** An entity; null in other records. */
  entity: option(AbsorbEntity),
  /** An application's id, 32 bytes, or null. */
  pendingApplication: option(b32),
} as const;

/** A delta or entity of a newer version of the application, kept until this node has it. From 143 bytes. */
export const AbsorbRecord = struct("AbsorbRecord", {
  ...absorbedBefore,
  /** The delta's timestamp. */
  hlc: HybridTimestamp,
  ...absorbedAfter,
});
export type AbsorbRecord = Decoded<typeof AbsorbRecord>;

/** The same in core-0.11. From 151 bytes. */
export const AbsorbRecord011 = struct("AbsorbRecord", {
  ...absorbedBefore,
  /** The delta's timestamp. */
  hlc: HybridTimestamp011,
  ...absorbedAfter,
});
export type AbsorbRecord011 = Decoded<typeof AbsorbRecord011>;

/** A change of the writers of a shared entity, in the log that hangs below it. From 71 bytes. */
export const RotationLogEntry = struct("RotationLogEntry", {
  /** Id of the delta that made the change, 32 bytes. */
  deltaId: b32,
  /** Timestamp of that delta. */
  deltaHlc: HybridTimestamp011,
  /** The signer's Ed25519 public key, 32 bytes, or null. */
  signer: option(b32),
  /** Ed25519 signature over `signedPayload`, 64 bytes, or null. */
  signature: option(b64),
  /** A digest of 32 bytes, or null. */
  signedPayload: option(b32),
  /** The writers from then on. */
  newWriters: Writers011,
  /** Nonce of the change. */
  writersNonce: u64,
});
export type RotationLogEntry = Decoded<typeof RotationLogEntry>;
