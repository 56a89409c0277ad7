/** Values of the column families that are sorted by context. */
import {
  b32,
  bool,
  bytes,
  type Decoded,
  identity,
  milliseconds,
  option,
  payload,
  secret,
  str,
  struct,
  textual,
  u8,
  u32,
  u64,
  vec,
} from "../codec/index.js";
import { Action010, ActionList010 } from "../payloads/action.js";
import { AbsorbRecord, AbsorbRecord011 } from "../payloads/delta.js";
import { Event } from "../payloads/event.js";
import { HybridTimestamp010 } from "../payloads/hybrid-timestamp.js";
import { Op } from "../payloads/unified-op.js";
import { Op011 } from "../payloads/unified-op-011.js";

/** A context's application, the root hash of its state and the heads of its deltas. From 69 bytes. */
export const ContextMetaValue = struct("ContextMeta", {
  /** The application's id, 32 bytes. */
  application: b32,
  /** Full hash of the state's root entity: SHA-256, 32 bytes; zeros until there is a state. */
  rootHash: b32,
  /** Ids of the applied deltas that no applied delta follows, 32 bytes each. */
  dagHeads: vec(b32),
  /** Service of a bundle that the context runs, or null. */
  serviceName: option(str),
});
export type ContextMetaValue = Decoded<typeof ContextMetaValue>;

/** A context in the document: without a service name. From 68 bytes. */
export const ContextMetaValueDocumented = struct("ContextMeta", {
  /** The application's id, 32 bytes. */
  application: b32,
  /** Full hash of the state's root entity: SHA-256, 32 bytes. */
  rootHash: b32,
  /** Ids of the applied deltas that no applied delta follows, 32 bytes each. */
  dagHeads: vec(b32),
});
export type ContextMetaValueDocumented = Decoded<typeof ContextMetaValueDocumented>;

/** Counters of upgrades and of changes of members. 16 bytes. */
export const ContextConfigValue = struct("ContextConfig", {
  /** Counts changes of the application. */
  applicationRevision: u64,
  /** Counts changes of the members. */
  membersRevision: u64,
});
export type ContextConfigValue = Decoded<typeof ContextConfigValue>;

/** The node's own key of an identity. 1 or 33 bytes. */
export const ContextIdentityValue = struct("ContextIdentity", {
  /** Secret: Ed25519 seed, 32 bytes. Null where the node signs with its one identity, and for others' identities. */
  privateKey: option(secret(b32)),
});
export type ContextIdentityValue = Decoded<typeof ContextIdentityValue>;

/** The node's own keys of an identity in core-0.10 and in the document. 2, 34 or 66 bytes. */
export const ContextIdentityValue010 = struct("ContextIdentity", {
  /** Secret: Ed25519 seed, 32 bytes. Null for others' identities. */
  privateKey: option(secret(b32)),
  /** Secret: a random key of 32 bytes, though the document calls it public. Null for others' identities. */
  senderKey: option(secret(b32)),
});
export type ContextIdentityValue010 = Decoded<typeof ContextIdentityValue010>;

/** A causal delta in core-0.10. From 98 bytes. */
export const ContextDagDeltaValue010 = struct("ContextDagDelta", {
  /** The delta's id, 32 bytes: SHA-256 of its parents and actions, but any bytes for a checkpoint. */
  deltaId: b32,
  /** Ids of the deltas that it follows, 32 bytes each; 32 zeros stand for the beginning. */
  parents: vec(b32),
  /** The changes: a list of actions in a byte string. */
  actions: payload(bytes, ActionList010),
  /** When the delta was made. */
  hlc: HybridTimestamp010,
  /** False while the delta is pending. */
  applied: bool,
  /** Root hash of the state after the delta, as its author expects it, 32 bytes. */
  expectedRootHash: b32,
  /** JSON list of events {kind, data, handler}; null in own deltas, and mostly once handled. */
  events: option(textual(bytes)),
});
export type ContextDagDeltaValue010 = Decoded<typeof ContextDagDeltaValue010>;

/** A causal delta in the document: actions and events lie in place, without a byte string around. From 101 bytes. */
export const ContextDagDeltaValueDocumented = struct("ContextDagDelta", {
  /** The delta's id, 32 bytes. */
  deltaId: b32,
  /** Ids of the deltas that it follows, 32 bytes each. */
  parents: vec(b32),
  /** The changes. */
  actions: vec(Action010),
  /** When the delta was made. */
  hlc: HybridTimestamp010,
  /** False while the delta is pending. */
  applied: bool,
  /** Root hash of the state after the delta, as its author expects it, 32 bytes. */
  expectedRootHash: b32,
  /** The events that the application emitted. */
  events: vec(Event),
});
export type ContextDagDeltaValueDocumented = Decoded<typeof ContextDagDeltaValueDocumented>;

/** A count of authored entities. 4 bytes. */
export const ContextAuthoredRemainingValue = struct("ContextAuthoredRemaining", {
  /** Number of authored entities that remain. */
  count: u32,
});
export type ContextAuthoredRemainingValue = Decoded<typeof ContextAuthoredRemainingValue>;

/** When a member left. 8 bytes. */
export const ContextLeftMarkerValue = struct("ContextLeftMarker", {
  /** When, in milliseconds since 1970. */
  leftAtMs: milliseconds(u64),
});
export type ContextLeftMarkerValue = Decoded<typeof ContextLeftMarkerValue>;

/** The reason why a migration failed. 1 byte. */
export const ContextMigrationFailedValue = struct("ContextMigrationFailed", {
  /** 1: its check aborted it; 2: it could not be applied. */
  kind: u8,
});
export type ContextMigrationFailedValue = Decoded<typeof ContextMigrationFailedValue>;

/** The blob whose code a context runs. 32 bytes. */
export const ContextExecutingBlobValue = struct("ContextExecutingBlob", {
  /** Blob id of the code, 32 bytes. */
  blob: b32,
});
export type ContextExecutingBlobValue = Decoded<typeof ContextExecutingBlobValue>;

/** The blob whose code a context activated. 32 bytes. */
export const ContextActivatedBlobValue = struct("ContextActivatedBlob", {
  /** Blob id of the code, 32 bytes. */
  blob: b32,
});
export type ContextActivatedBlobValue = Decoded<typeof ContextActivatedBlobValue>;

/** The version of the state that a context activated. 4 bytes. */
export const ContextActivatedStateVersionValue = struct("ContextActivatedStateVersion", {
  /** Version of the application's state. */
  stateVersion: u32,
});
export type ContextActivatedStateVersionValue = Decoded<typeof ContextActivatedStateVersionValue>;

/** Nonces of warrants that an author's device used in a context. 16 bytes. */
export const ContextWarrantNonceValue = struct("ContextWarrantNonce", {
  /** The greatest nonce that was used. */
  highWater: u64,
  /** One bit for each of the 64 nonces up to it: set if it was used. */
  window: u64,
});
export type ContextWarrantNonceValue = Decoded<typeof ContextWarrantNonceValue>;

/** A delta that waits, in a byte string. From 4 bytes. */
export const AbsorbBufferValue = payload(bytes, AbsorbRecord);

/** An operation, raw for the node. */
export const ScopeUnifiedOpValue = payload(identity, Op);

/** A delta that waits, in a byte string, in core-0.11. From 4 bytes. */
export const AbsorbBufferValue011 = payload(bytes, AbsorbRecord011);

/** An operation in core-0.11, raw for the node. */
export const ScopeUnifiedOpValue011 = payload(identity, Op011);
