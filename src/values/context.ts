/** Values of the column families that are sorted by context. */
import {
  b32,
  b64,
  bool,
  bytes,
  type Decoded,
  identity,
  option,
  payload,
  secret,
  str,
  struct,
  u8,
  u32,
  u64,
  vec,
} from "../codec/index.js";
import { Action010, ActionList, ActionList010 } from "../payloads/action.js";
import { AbsorbRecord, GovernanceParentEdge } from "../payloads/delta.js";
import { Event } from "../payloads/event.js";
import { HybridTimestamp, HybridTimestamp010 } from "../payloads/hybrid-timestamp.js";
import { Op } from "../payloads/unified-op.js";

/** A context's application, the root hash of its state and the heads of its deltas. From 69 bytes. */
export const ContextMetaValue = struct("ContextMeta", {
  application: b32,
  rootHash: b32,
  dagHeads: vec(b32),
  serviceName: option(str),
});
export type ContextMetaValue = Decoded<typeof ContextMetaValue>;

/** The same as the document states it: without a service name. From 68 bytes. */
export const ContextMetaValueDocumented = struct("ContextMeta", {
  application: b32,
  rootHash: b32,
  dagHeads: vec(b32),
});
export type ContextMetaValueDocumented = Decoded<typeof ContextMetaValueDocumented>;

/** Counters of upgrades and of changes of members. 16 bytes. */
export const ContextConfigValue = struct("ContextConfig", { applicationRevision: u64, membersRevision: u64 });
export type ContextConfigValue = Decoded<typeof ContextConfigValue>;

/** Own keys of an identity; both are null for members elsewhere. 2, 34 or 66 bytes. */
export const ContextIdentityValue010 = struct("ContextIdentity", {
  /** Ed25519 seed. */
  privateKey: option(secret(b32)),
  /** A random symmetric key. The document calls it a public key; it is not. */
  senderKey: option(secret(b32)),
});
export type ContextIdentityValue010 = Decoded<typeof ContextIdentityValue010>;

/** Own key of an identity in core-0.11; null where the node signs with its one identity. 1 or 33 bytes. */
export const ContextIdentityValue = struct("ContextIdentity", { privateKey: option(secret(b32)) });
export type ContextIdentityValue = Decoded<typeof ContextIdentityValue>;

/** A causal delta. `actions` holds a list of actions, `events` JSON. From 98 bytes. */
export const ContextDagDeltaValue010 = struct("ContextDagDelta", {
  deltaId: b32,
  parents: vec(b32),
  actions: payload(bytes, ActionList010),
  hlc: HybridTimestamp010,
  applied: bool,
  expectedRootHash: b32,
  events: option(bytes),
});
export type ContextDagDeltaValue010 = Decoded<typeof ContextDagDeltaValue010>;

/** A causal delta of core-0.11. From 70 bytes. */
export const ContextDagDeltaValue = struct("ContextDagDelta", {
  deltaId: b32,
  parents: vec(b32),
  actions: payload(bytes, ActionList),
  hlc: HybridTimestamp,
  applied: bool,
  checkpointRootHash: option(b32),
  events: option(bytes),
  authorId: option(b32),
  governancePositionBlob: option(payload(bytes, GovernanceParentEdge)),
  deltaSignature: option(b64),
});
export type ContextDagDeltaValue = Decoded<typeof ContextDagDeltaValue>;

/** The same as the document states it: actions and events lie in place, without a frame. From 101 bytes. */
export const ContextDagDeltaValueDocumented = struct("ContextDagDelta", {
  deltaId: b32,
  parents: vec(b32),
  actions: vec(Action010),
  hlc: HybridTimestamp010,
  applied: bool,
  expectedRootHash: b32,
  events: vec(Event),
});
export type ContextDagDeltaValueDocumented = Decoded<typeof ContextDagDeltaValueDocumented>;

/** How many authored entities may still be written. 4 bytes. */
export const ContextAuthoredRemainingValue = struct("ContextAuthoredRemaining", { count: u32 });
export type ContextAuthoredRemainingValue = Decoded<typeof ContextAuthoredRemainingValue>;

/** When a member left. 8 bytes. */
export const ContextLeftMarkerValue = struct("ContextLeftMarker", { leftAtMs: u64 });
export type ContextLeftMarkerValue = Decoded<typeof ContextLeftMarkerValue>;

/** Why a migration failed: 1 its check aborted, 2 it could not be applied. 1 byte. */
export const ContextMigrationFailedValue = struct("ContextMigrationFailed", { kind: u8 });
export type ContextMigrationFailedValue = Decoded<typeof ContextMigrationFailedValue>;

/** The blob whose code is running. 32 bytes. */
export const ContextExecutingBlobValue = struct("ContextExecutingBlob", { blob: b32 });
export type ContextExecutingBlobValue = Decoded<typeof ContextExecutingBlobValue>;

/** The blob whose code was activated. 32 bytes. */
export const ContextActivatedBlobValue = struct("ContextActivatedBlob", { blob: b32 });
export type ContextActivatedBlobValue = Decoded<typeof ContextActivatedBlobValue>;

/** The version of the state that was activated. 4 bytes. */
export const ContextActivatedStateVersionValue = struct("ContextActivatedStateVersion", {
  stateVersion: u32,
});
export type ContextActivatedStateVersionValue = Decoded<typeof ContextActivatedStateVersionValue>;

/** A delta that waits, in a byte string. From 4 bytes. */
export const AbsorbBufferValue = payload(bytes, AbsorbRecord);

/** An operation, raw for the node. */
export const ScopeUnifiedOpValue = payload(identity, Op);
