/** What deltas of core-0.11 carry, and what waits until one can be applied. */

import { toHex } from "../bytes/hex.js";
import { b12, b32, b64, bytes, checked, type Decoded, option, struct, u8, u64, vec } from "../codec/index.js";
import { HybridTimestamp } from "./hybrid-timestamp.js";
import { Writers } from "./metadata.js";

/** Where governance stood when a delta was made: at most 32 heads, none twice. From 4 bytes. */
export const GovernanceParentEdge = struct("GovernanceParentEdge", {
  governanceDagHeads: checked(
    vec(b32),
    "at most 32 heads, none twice",
    (heads) => heads.length <= 32 && new Set(heads.map(toHex)).size === heads.length,
  ),
});
export type GovernanceParentEdge = Decoded<typeof GovernanceParentEdge>;

/** An operation on a leaf that was not applied yet, and the application that wrote it. From 36 bytes. */
export const AbsorbLeaf = struct("AbsorbLeaf", { leafBytes: bytes, schemaAppKey: b32 });
export type AbsorbLeaf = Decoded<typeof AbsorbLeaf>;

/** An entity that was not applied yet: its data and its index row as they came. From 72 bytes. */
export const AbsorbEntity = struct("AbsorbEntity", {
  id: b32,
  entry: bytes,
  index: bytes,
  schemaAppKey: b32,
});
export type AbsorbEntity = Decoded<typeof AbsorbEntity>;

/** A delta or entity of a newer version of the application, kept until this node has it. From 151 bytes. */
export const AbsorbRecord = struct("AbsorbRecord", {
  id: b32,
  parents: vec(b32),
  hlc: HybridTimestamp,
  payload: bytes,
  nonce: b12,
  authorId: b32,
  sourcePeer: bytes,
  keyId: b32,
  governancePosition: option(GovernanceParentEdge),
  deltaSignature: option(b64),
  governanceDrainAttempts: u8,
  producingAppKey: option(b32),
  leaf: option(AbsorbLeaf),
  entity: option(AbsorbEntity),
  pendingApplication: option(b32),
});
export type AbsorbRecord = Decoded<typeof AbsorbRecord>;

/** A change of the writers of a shared entity, in the log that hangs below it. From 71 bytes. */
export const RotationLogEntry = struct("RotationLogEntry", {
  deltaId: b32,
  deltaHlc: HybridTimestamp,
  signer: option(b32),
  signature: option(b64),
  signedPayload: option(b32),
  newWriters: Writers,
  writersNonce: u64,
});
export type RotationLogEntry = Decoded<typeof RotationLogEntry>;
