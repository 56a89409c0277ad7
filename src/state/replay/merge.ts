/** The rules by which two writes of one entity merge (`interface.rs:3739-3870`, `merge.rs:318-400`). */
import { compareBytes, equalBytes } from "../../bytes/order.js";
import { sha256 } from "../../crypto/index.js";
import type { AnyAction } from "../../payloads/index.js";
import type { ReplayedEntity } from "./entity.js";

/** An action that writes an entity. */
export type Write = Exclude<AnyAction, { readonly kind: "DeleteRef" | "Compare" }>;

/**
 * Merges the bytes of the application's own state that two deltas wrote which do not follow each other; undefined where only the
 * application knows how.
 */
export type MergeRoot = (stored: Uint8Array, incoming: Uint8Array) => Uint8Array | undefined;

/** The data of an entity after another write of it. The kind of merging is that of the action. */
export function mergedData(stored: ReplayedEntity, { data, metadata }: Write): Uint8Array {
  const { updatedAt } = stored.metadata;
  switch (metadata.crdtType?.kind) {
    case "FrozenStorage":
    case "GCounter":
    case "PnCounter":
    case "Rga":
      // The bytes are the ids of collections, which both have; characters and counts are entities of their own.
      return stored.data ?? data;
    case undefined:
    case "LwwRegister":
    case "RotationLog":
    case "Custom": {
      if (metadata.updatedAt > updatedAt || stored.data === undefined) return data;
      if (metadata.updatedAt < updatedAt) return stored.data;
      return compareBytes(sha256(data), sha256(stored.data)) >= 0 ? data : stored.data;
    }
    default:
      return data;
  }
}

/**
 * The application's own state after another write of it (`merge/registry.rs:225-258`). A write that follows the stored one
 * replaces it; of two that only the application can merge, the later one is taken.
 */
export function mergedRoot(
  stored: ReplayedEntity,
  { data, metadata }: Write,
  follows: boolean,
  merge: MergeRoot,
): Uint8Array {
  if (stored.data === undefined || equalBytes(stored.data, data)) return data;
  if (stored.writer === undefined || follows) return data;
  return merge(stored.data, data) ?? (metadata.updatedAt >= stored.metadata.updatedAt ? data : stored.data);
}
