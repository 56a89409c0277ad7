/** Metadata of entities. */
import type { Metadata010 } from "../../src/payloads/index.js";

/** An entity that anybody may change. 19 bytes. @param createdAt nanoseconds since 1970 */
export function plainMetadata(createdAt: bigint) {
  return {
    createdAt,
    updatedAt: createdAt,
    storageType: { kind: "Public" },
    crdtType: null,
    fieldName: null,
  } as const satisfies Metadata010;
}

/** A collection that is a field of the application's state. */
export function mapMetadata(createdAt: bigint) {
  return {
    ...plainMetadata(createdAt),
    crdtType: {
      kind: "UnorderedMap",
      keyType: "alloc::string::String",
      valueType: "calimero_storage::collections::lww_register::LwwRegister<alloc::string::String>",
    },
    fieldName: "items",
  } as const satisfies Metadata010;
}
