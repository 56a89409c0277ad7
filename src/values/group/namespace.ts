/** Namespaces: the node's keys in one, and its operations. */
import { b32, bytes, type Decoded, payload, secret, str, struct, u8, u64, vec } from "../../codec/index.js";
import { ReadableNamespaceEntry } from "../../payloads/namespace-operation.js";
import { ReadableNamespaceEntry010 } from "../../payloads/namespace-operation-010.js";
import { ReadableNamespaceEntry011 } from "../../payloads/namespace-operation-011.js";

/** The node's keys in a namespace, in core-0.10 and in the document. 96 bytes. */
export const NamespaceIdentityValue = struct("NamespaceIdentityValue", {
  /** Ed25519 public key, 32 bytes. */
  publicKey: b32,
  /** Secret: Ed25519 seed, 32 bytes. */
  privateKey: secret(b32),
  /** Secret: a random key of 32 bytes. */
  senderKey: secret(b32),
});
export type NamespaceIdentityValue = Decoded<typeof NamespaceIdentityValue>;

/** A governance operation, or the known part of an operation that this node cannot read. From 4 bytes. */
export const NamespaceGovOpValue = struct("NamespaceGovOpValue", {
  /** The operation in Borsh, in a byte string. */
  skeletonBytes: payload(bytes, ReadableNamespaceEntry),
});
export type NamespaceGovOpValue = Decoded<typeof NamespaceGovOpValue>;

/** A governance operation, or its known part, in core-0.11. From 4 bytes. */
export const NamespaceGovOpValue011 = struct("NamespaceGovOpValue", {
  /** The operation in Borsh, in a byte string. */
  skeletonBytes: payload(bytes, ReadableNamespaceEntry011),
});
export type NamespaceGovOpValue011 = Decoded<typeof NamespaceGovOpValue011>;

/** A governance operation, or its known part, in core-0.10. From 4 bytes. */
export const NamespaceGovOpValue010 = struct("NamespaceGovOpValue", {
  /** The operation in Borsh, in a byte string. */
  skeletonBytes: payload(bytes, ReadableNamespaceEntry010),
});
export type NamespaceGovOpValue010 = Decoded<typeof NamespaceGovOpValue010>;

/** A governance operation in the document, which does not lay out the bytes. From 4 bytes. */
export const NamespaceGovOpValueDocumented = struct("NamespaceGovOpValue", {
  /** A signed operation or a skeleton of one, raw. */
  skeletonBytes: bytes,
});
export type NamespaceGovOpValueDocumented = Decoded<typeof NamespaceGovOpValueDocumented>;

/** Heads of a namespace's operations. From 12 bytes. */
export const NamespaceGovHeadValue = struct("NamespaceGovHeadValue", {
  /** Number of operations accepted here, from 1: the next has `sequence + 1`. The document calls it the next nonce. */
  sequence: u64,
  /** Ids of the operations that no other follows, 32 bytes each. */
  dagHeads: vec(b32),
});
export type NamespaceGovHeadValue = Decoded<typeof NamespaceGovHeadValue>;

/** A mark that this node takes part in a namespace, since core-0.11. 1 byte. */
export const NamespaceParticipationValue = struct("NamespaceParticipationValue", {
  /** 0 in the rows that nodes write. */
  reserved: u8,
});
export type NamespaceParticipationValue = Decoded<typeof NamespaceParticipationValue>;

/** The service of a bundle that a context runs. From 4 bytes. */
export const ContextServiceNameValue = struct("ContextServiceNameValue", {
  /** The service's name. */
  serviceName: str,
});
export type ContextServiceNameValue = Decoded<typeof ContextServiceNameValue>;
