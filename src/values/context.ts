/** Values of the column families that are sorted by context. */
import { b32, bool, bytes, type Decoded, option, secret, str, struct, u64, vec } from "../codec/index.js";
import { Action } from "../payloads/action.js";
import { Event } from "../payloads/event.js";
import { HybridTimestamp } from "./hybrid-timestamp.js";

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
export const ContextIdentityValue = struct("ContextIdentity", {
  /** Ed25519 seed. */
  privateKey: option(secret(b32)),
  /** A random symmetric key. The document calls it a public key; it is not. */
  senderKey: option(secret(b32)),
});
export type ContextIdentityValue = Decoded<typeof ContextIdentityValue>;

/** A causal delta. `actions` holds Borsh of a list of actions, `events` JSON. From 98 bytes. */
export const ContextDagDeltaValue = struct("ContextDagDelta", {
  deltaId: b32,
  parents: vec(b32),
  actions: bytes,
  hlc: HybridTimestamp,
  applied: bool,
  expectedRootHash: b32,
  events: option(bytes),
});
export type ContextDagDeltaValue = Decoded<typeof ContextDagDeltaValue>;

/** The same as the document states it: actions and events lie in place, without a frame. From 101 bytes. */
export const ContextDagDeltaValueDocumented = struct("ContextDagDelta", {
  deltaId: b32,
  parents: vec(b32),
  actions: vec(Action),
  hlc: HybridTimestamp,
  applied: bool,
  expectedRootHash: b32,
  events: vec(Event),
});
export type ContextDagDeltaValueDocumented = Decoded<typeof ContextDagDeltaValueDocumented>;
