import { concat } from "../bytes/concat.js";
import { b32, option, struct } from "../codec/index.js";
import { GovernanceParentEdge } from "../payloads/delta.js";
import { HybridTimestamp, HybridTimestamp011 } from "../payloads/hybrid-timestamp.js";
import { utf8 } from "./utf8.js";

const fields = {
  contextId: b32,
  deltaId: b32,
  authorId: b32,
  governancePosition: option(GovernanceParentEdge),
} as const;
const Untimed = struct("DeltaEnvelope", fields);
const Envelope = struct("DeltaEnvelope", { ...fields, hlc: HybridTimestamp011 });
const ShortEnvelope = struct("DeltaEnvelope", { ...fields, hlc: HybridTimestamp });

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
const FIRST_DOMAIN = utf8("calimero/delta/1");

/**
 * The bytes that the author of a delta signs in core-0.11, not hashed (schema 4.5): `"calimero/delta/2" ‖ context_id
 * b32 ‖ delta_id b32 ‖ author_id b32 ‖ GovernanceParentEdge? ‖ timestamp (24)`. From 137 bytes. The key is `authorId`.
 */
export function deltaSigningBytes011(envelope: DeltaEnvelope011): Uint8Array {
  return concat(DOMAIN, Envelope.encode(envelope));
}

/**
 * The bytes that authors signed before core-1.0 signed a struct, newest first: as in core-0.11, with the timestamp of the row, and
 * before that `"calimero/delta/1"` without a timestamp.
 *
 * @param isShort whether the timestamp has 16 bytes
 */
export function earlierDeltaSigningBytes(
  { hlc, ...envelope }: DeltaEnvelope011,
  isShort: boolean,
): readonly Uint8Array[] {
  const timed = (isShort ? ShortEnvelope : Envelope).encode({ ...envelope, hlc });
  return [concat(DOMAIN, timed), concat(FIRST_DOMAIN, Untimed.encode(envelope))];
}
