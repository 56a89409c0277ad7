/** Ids of applications (schema 5.3, 10), blobs (5.2), namespaces and groups. 32 bytes. */
import { b32, bytes, type Decoded, str, struct, u64 } from "../codec/index.js";
import { sha256, sha256All } from "../crypto/index.js";
import type { BlobMetaValue010 } from "../values/blobs.js";
import { domainDigest } from "./domain-digest.js";

const Bundle = struct("Bundle", { package: str, signerId: str });
const Module = struct("Module", { bytecode: b32, size: u64, source: str, metadata: bytes });

/**
 * The id of a bundle (a row whose signer_id is not empty): SHA-256(borsh `{package str, signer_id str}`). It is the
 * same for every version.
 */
export function bundleApplicationId(bundle: Decoded<typeof Bundle>): Uint8Array {
  return sha256(Bundle.encode({ package: bundle.package, signerId: bundle.signerId }));
}

/**
 * The id of a raw WebAssembly module (an empty signer_id): SHA-256(borsh `{bytecode b32, size u64, source str, metadata
 * bytes}`). A module that was fetched by blob sharing keeps its id with other metadata, so its row does not yield the
 * id.
 */
export function moduleApplicationId({
  bytecode,
  size,
  source,
  metadata,
}: Decoded<typeof Module>): Uint8Array {
  return sha256(Module.encode({ bytecode, size, source, metadata }));
}

/** Size of a chunk in bytes. Only the last chunk may be smaller. */
export const CHUNK_SIZE = 1_048_576;

/** The id of a blob: SHA-256 of its chunks' ids in order. Content of a single chunk has a root too. */
export function blobRootId(links: readonly Uint8Array[]): Uint8Array {
  return sha256All(links);
}

/** The id that a row should have: the hash of the bytes of a chunk, or of the ids of a blob's chunks. */
export function blobId({ hash, links }: Pick<BlobMetaValue010, "hash" | "links">): Uint8Array {
  return links.length === 0 ? hash : blobRootId(links);
}

/** The id of a namespace: D(`calimero.namespace.id.v1`, the founder's account, salt). */
export function foundedNamespaceId(founder: Uint8Array, salt: Uint8Array): Uint8Array {
  return domainDigest("calimero.namespace.id.v1", founder, salt);
}

/** The id of a group below another: D(`calimero.subgroup.id.v1`, the admin's account, parent, restricted, salt). */
export function createdGroupId(created: {
  /** The admin's account id, 32 bytes. */
  readonly admin: Uint8Array;
  /** Id of the parent group, 32 bytes. */
  readonly parentId: Uint8Array;
  /** True if the group is restricted. */
  readonly restricted: boolean;
  /** Random bytes, 32 bytes. */
  readonly salt: Uint8Array;
}): Uint8Array {
  const { admin, parentId, restricted, salt } = created;
  return domainDigest("calimero.subgroup.id.v1", admin, parentId, Uint8Array.of(restricted ? 1 : 0), salt);
}
