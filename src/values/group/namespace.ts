import { b32, bytes, type Decoded, payload, secret, str, struct, u8, u64, vec } from "../../codec/index.js";
import { ReadableNamespaceEntry } from "../../payloads/namespace-operation.js";
import { ReadableNamespaceEntry010 } from "../../payloads/namespace-operation-010.js";

/** The node's keys in a namespace: Ed25519 public key and seed, and a random symmetric key. 96 bytes. */
export const NamespaceIdentityValue = struct("NamespaceIdentityValue", {
  publicKey: b32,
  privateKey: secret(b32),
  senderKey: secret(b32),
});
export type NamespaceIdentityValue = Decoded<typeof NamespaceIdentityValue>;

/** A governance operation in Borsh, or what is known of one that this node cannot read. From 4 bytes. */
export const NamespaceGovOpValue010 = struct("NamespaceGovOpValue", {
  skeletonBytes: payload(bytes, ReadableNamespaceEntry010),
});
export type NamespaceGovOpValue010 = Decoded<typeof NamespaceGovOpValue010>;

/** The same in core-0.11. From 4 bytes. */
export const NamespaceGovOpValue = struct("NamespaceGovOpValue", {
  skeletonBytes: payload(bytes, ReadableNamespaceEntry),
});
export type NamespaceGovOpValue = Decoded<typeof NamespaceGovOpValue>;

/** The same as the document states it, which does not lay out what is inside. From 4 bytes. */
export const NamespaceGovOpValueDocumented = struct("NamespaceGovOpValue", { skeletonBytes: bytes });
export type NamespaceGovOpValueDocumented = Decoded<typeof NamespaceGovOpValueDocumented>;

/**
 * Heads of a namespace's operations. From 12 bytes. `sequence` is the number used last: the next one is
 * `sequence + 1`. (The document calls it the next one.)
 */
export const NamespaceGovHeadValue = struct("NamespaceGovHeadValue", { sequence: u64, dagHeads: vec(b32) });
export type NamespaceGovHeadValue = Decoded<typeof NamespaceGovHeadValue>;

/** That this node takes part in a namespace, since core-0.11. 1 byte, 0. */
export const NamespaceParticipationValue = struct("NamespaceParticipationValue", { reserved: u8 });
export type NamespaceParticipationValue = Decoded<typeof NamespaceParticipationValue>;

/** The service of a bundle that a context runs. From 4 bytes. */
export const ContextServiceNameValue = struct("ContextServiceNameValue", { serviceName: str });
export type ContextServiceNameValue = Decoded<typeof ContextServiceNameValue>;
