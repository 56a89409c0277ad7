/** Entities of the state, their metadata and actions, from core-0.10 to core-0.11. */
import type {
  Action010,
  Action011,
  ChildInfo,
  ChildInfo010,
  Metadata010,
  Metadata011,
  StorageType010,
  StorageType011,
} from "../payloads/index.js";

/** Returns true if an entity belongs to a public key, which core-0.11 would read as an account. */
export function hasOwner({ storageType }: Metadata010): boolean {
  return storageType.kind === "User";
}

/** Metadata011 without a version of the schema. Names of types stay; their tags differ. */
export function metadata011(metadata: Metadata010): Metadata011 {
  return { ...metadata, storageType: storageType011(metadata.storageType), schemaVersion: null };
}

function storageType011(type: StorageType010): StorageType011 {
  if (type.kind !== "User") return type;
  const { owner, signatureData } = type;
  return {
    kind: "User",
    owner,
    signatureData: signatureData === null ? null : { ...signatureData, signer: null },
  };
}

/** A child with a hash. */
export function childInfo011({ id, metadata }: ChildInfo010, merkleHash: Uint8Array): ChildInfo {
  return { id, merkleHash, metadata: metadata011(metadata) };
}

/** An action; undefined for a comparison, which core-0.11 does not have. */
export function action011(action: Action010): Action011 | undefined {
  switch (action.kind) {
    case "Compare":
      return undefined;
    case "DeleteRef":
      return { ...action, metadata: metadata011(action.metadata) };
    case "Add":
    case "Update":
      return {
        ...action,
        ancestors: action.ancestors.map((info) => childInfo011(info, info.merkleHash)),
        metadata: metadata011(action.metadata),
      };
  }
}

/** Returns true if an action names the public key of an owner. */
export function namesOwner(action: Action010): boolean {
  if (action.kind === "Compare") return false;
  if (hasOwner(action.metadata)) return true;
  return action.kind !== "DeleteRef" && action.ancestors.some(({ metadata }) => hasOwner(metadata));
}
