/** Ids of namespaces and groups, since core-1.0: they follow from who makes them and a salt. 32 bytes. */
import { domainDigest } from "./domain-digest.js";

/** The id of a namespace: D(`calimero.namespace.id.v1`, the founder's account, salt). */
export function foundedNamespaceId(founder: Uint8Array, salt: Uint8Array): Uint8Array {
  return domainDigest("calimero.namespace.id.v1", founder, salt);
}

/** The id of a group below another: D(`calimero.subgroup.id.v1`, the admin's account, parent, restricted, salt). */
export function createdGroupId(created: {
  /** The admin's account id, 32 bytes. */
  readonly admin: Uint8Array;
  /** Id of the group above, 32 bytes. */
  readonly parentId: Uint8Array;
  /** True if the group is restricted. */
  readonly restricted: boolean;
  /** Random bytes, 32 bytes. */
  readonly salt: Uint8Array;
}): Uint8Array {
  const { admin, parentId, restricted, salt } = created;
  return domainDigest("calimero.subgroup.id.v1", admin, parentId, Uint8Array.of(restricted ? 1 : 0), salt);
}
