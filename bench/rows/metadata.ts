/** Metadata of entities, with times like those of a real node. */
import type { ChildInfo010, Metadata010 } from "../../src/payloads/index.js";
import type { Random } from "../random.js";

/** Nanoseconds since 1970 of the year 2026. */
const BEGIN = 1_795_242_408_000_000_000n;

/** Some moment of the day after the beginning. */
export function moment(random: Random): bigint {
  return BEGIN + BigInt(random.below(86_400)) * 1_000_000_000n + BigInt(random.below(1_000_000_000));
}

/** An entry of a collection: public, nothing else known. 19 bytes. */
export function entryMetadata(random: Random): Metadata010 {
  const createdAt = moment(random);
  return {
    createdAt,
    updatedAt: createdAt,
    storageType: { kind: "Public" },
    crdtType: null,
    fieldName: null,
  };
}

/** A collection that is a field of the application's state. */
export function mapMetadata(random: Random): Metadata010 {
  return {
    ...entryMetadata(random),
    crdtType: {
      kind: "UnorderedMap",
      keyType: "alloc::string::String",
      valueType: "calimero_storage::collections::lww_register::LwwRegister<alloc::string::String>",
    },
    fieldName: "items",
  };
}

/** An entity as its parent knows it. */
export function child(
  random: Random,
  id: Uint8Array,
  metadata: Metadata010 = entryMetadata(random),
): ChildInfo010 {
  return { id, merkleHash: random.id(), metadata };
}
