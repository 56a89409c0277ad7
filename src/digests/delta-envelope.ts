import { concat } from "../bytes/concat.js";
import { b32, option, struct } from "../codec/index.js";
import { GovernanceParentEdge } from "../payloads/delta.js";
import { HybridTimestamp011 } from "../payloads/hybrid-timestamp.js";
import { utf8 } from "./utf8.js";

const Envelope = struct("DeltaEnvelope", {
  contextId: b32,
  deltaId: b32,
  authorId: b32,
  governancePosition: option(GovernanceParentEdge),
  hlc: HybridTimestamp011,
});

/** The fields that the author of a delta signs, beside the actions that its id covers. */
export interface DeltaEnvelope011 {
  /** The context, 32 bytes. */
  readonly contextId: Uint8Array;
  /** The delta's id, 32 bytes: see {@link deltaId}. */
  readonly deltaId: Uint8Array;
  /** The author's Ed25519 public key, 32 bytes. */
  readonly authorId: Uint8Array;
  /** The group operations that the author knew; null in a context without a group. */
  readonly governancePosition: GovernanceParentEdge | null;
  /** When it was made. */
  readonly hlc: HybridTimestamp011;
}

const DOMAIN = utf8("calimero/delta/2");

/**
 * The bytes that the author of a delta signs in core-0.11, not hashed (schema 4.5): `"calimero/delta/2" ‖ context_id
 * b32 ‖ delta_id b32 ‖ author_id b32 ‖ GovernanceParentEdge? ‖ timestamp (24)`. From 137 bytes. The key is `authorId`.
 */
export function deltaSigningBytes011(envelope: DeltaEnvelope011): Uint8Array {
  return concat(DOMAIN, Envelope.encode(envelope));
}
