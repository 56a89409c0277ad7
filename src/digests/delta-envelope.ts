import { concat } from "../bytes/concat.js";
import { b32, type Decoded, option, struct } from "../codec/index.js";
import { GovernanceParentEdge } from "../payloads/delta.js";
import { HybridTimestamp } from "../payloads/hybrid-timestamp.js";
import { utf8 } from "./utf8.js";

const DeltaEnvelope = struct("DeltaEnvelope", {
  contextId: b32,
  deltaId: b32,
  authorId: b32,
  governancePosition: option(GovernanceParentEdge),
  hlc: HybridTimestamp,
});

/** The fields that the author of a delta signs. The id of the delta covers the actions. */
export type DeltaEnvelope = Decoded<typeof DeltaEnvelope>;

const DOMAIN = utf8("calimero/delta/2");

/**
 * The bytes that the author of a delta signs in core-0.11, not hashed (schema 4.5): `"calimero/delta/2" ‖ context_id
 * b32 ‖ delta_id b32 ‖ author_id b32 ‖ GovernanceParentEdge? ‖ timestamp (24)`. From 137 bytes. The key is `authorId`.
 */
export function deltaSigningBytes(envelope: DeltaEnvelope): Uint8Array {
  return concat(DOMAIN, DeltaEnvelope.encode(envelope));
}
