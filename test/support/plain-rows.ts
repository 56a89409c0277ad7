/** Parts of entities and deltas that say nothing: tests state what they are about. */

/** The metadata of a public entity without a type and a name. */
export function publicMetadata(createdAt: bigint, updatedAt = createdAt) {
  const rest = { crdtType: null, fieldName: null, schemaVersion: null };
  return { createdAt, updatedAt, storageType: { kind: "Public" }, ...rest } as const;
}

/** The fields of an applied delta that no author signed. */
export const unsignedDelta = {
  applied: true,
  checkpointRootHash: null,
  events: null,
  authorId: null,
  governancePositionBlob: null,
  deltaSignature: null,
} as const;
