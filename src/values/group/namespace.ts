import { b32, bytes, type Decoded, secret, struct, u64, vec } from "../../codec/index.js";

/** The node's keys in a namespace: Ed25519 public key and seed, and a random symmetric key. 96 bytes. */
export const NamespaceIdentityValue = struct("NamespaceIdentityValue", {
  publicKey: b32,
  privateKey: secret(b32),
  senderKey: secret(b32),
});
export type NamespaceIdentityValue = Decoded<typeof NamespaceIdentityValue>;

/** A governance operation in Borsh, or what is known of one that this node cannot read. From 4 bytes. */
export const NamespaceGovOpValue = struct("NamespaceGovOpValue", { skeletonBytes: bytes });
export type NamespaceGovOpValue = Decoded<typeof NamespaceGovOpValue>;

/**
 * Heads of a namespace's operations. From 12 bytes. `sequence` is the number used last: the next one is
 * `sequence + 1`. (The document calls it the next one.)
 */
export const NamespaceGovHeadValue = struct("NamespaceGovHeadValue", { sequence: u64, dagHeads: vec(b32) });
export type NamespaceGovHeadValue = Decoded<typeof NamespaceGovHeadValue>;
