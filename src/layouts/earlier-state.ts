/**
 * State of 0.11.0-rc.26 to rc.7x: two rows for each entity at hashed keys, and children in tries of their own. Nothing
 * reads these rows; they are recognised, so that they do not look like damage.
 */
import { equalBytes } from "../bytes/order.js";
import {
  b32,
  type Codec,
  nanoseconds,
  option,
  ReadFailure,
  str,
  struct,
  u32,
  u64,
  vec,
} from "../codec/index.js";
import { ownHash } from "../digests/index.js";
import {
  CrdtType,
  CrdtType011,
  Metadata,
  StorageType011,
  StorageTypeWithoutOnBehalf,
} from "../payloads/index.js";

/** The versions that wrote it, as people name them. */
export const EARLIER_STATE = "0.11.0-rc.26 to rc.7x";

interface Index {
  readonly id: Uint8Array;
  readonly ownHash: Uint8Array;
}

const time = nanoseconds(u64);

/** Metadata in Borsh: over time the storage type and the CRDT type changed, and the order was added. */
const metadata: readonly Codec<unknown>[] = [StorageTypeWithoutOnBehalf, StorageType011].flatMap(
  (storageType) =>
    [CrdtType, CrdtType011].flatMap((crdtType) => {
      const parts = {
        createdAt: time,
        updatedAt: time,
        storageType,
        crdtType: option(crdtType as Codec<unknown>),
        fieldName: option(str),
        schemaVersion: option(u32),
      };
      return [struct("Metadata", { ...parts, order: u64 }), struct("Metadata", parts)];
    }),
);

const rest = { deletedAt: option(time), deletedChildren: vec(b32) };

/** Index records: first with the full hash before the own hash, then with the full hash only if it is not derived. */
const indexes: readonly Codec<Index>[] = [...metadata, Metadata].flatMap((of) => [
  struct("EntityIndex", {
    id: b32,
    parentId: option(b32),
    fullHash: b32,
    ownHash: b32,
    metadata: of,
    ...rest,
  }),
  struct("EntityIndex", {
    id: b32,
    parentId: option(b32),
    ownHash: b32,
    fullHash: option(b32),
    metadata: of,
    ...rest,
  }),
]);

/**
 * Returns true if the rows of an entity are of these versions: the record decodes, and its own hash is the hash of the
 * data.
 *
 * @param index the value at `indexStateKey`
 * @param entry the value at `entryStateKey`
 */
export function isEarlierEntity(id: Uint8Array, index: Uint8Array, entry: Uint8Array): boolean {
  const hash = ownHash(entry);
  return indexes.some((codec) => {
    const found = codec.readWhole(index);
    return !(found instanceof ReadFailure) && equalBytes(found.id, id) && equalBytes(found.ownHash, hash);
  });
}
