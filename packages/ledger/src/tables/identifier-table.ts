/**
 * `ObjectIdentifierStorage`: 0 key_index uint32 · 1 object_digest [ubyte].
 *
 * All tables are written in the order of the C++ builder: fields by descending size, and fields of the same size in reverse
 * order of their declaration. Ids are hashes of these bytes, so the order matters.
 */
import type { Builder } from "flatbuffers";
import { isValidDigest } from "../objects/digest.js";
import type { ObjectIdentifier } from "../objects/identifier.js";
import { damage, type TableReader } from "./table-reader.js";

/** Appends the table, and returns its offset. */
export function writeIdentifier(builder: Builder, { keyIndex, digest }: ObjectIdentifier): number {
  const bytes = builder.createByteVector(digest);
  builder.startObject(2);
  builder.addFieldOffset(1, bytes, 0);
  builder.addFieldInt32(0, keyIndex, 0);
  return builder.endObject();
}

export function readIdentifier(table: TableReader | undefined): ObjectIdentifier {
  const digest = table?.bytes(1);
  if (table === undefined || digest === undefined) throw damage("an object identifier has no digest");
  return { keyIndex: table.u32(0), digest };
}

/**
 * {@link readIdentifier} with a check of the digest.
 * @param place the name of the field in the error for an invalid digest
 */
export function readObject(table: TableReader | undefined, place: string): ObjectIdentifier {
  const identifier = readIdentifier(table);
  if (!isValidDigest(identifier.digest)) throw damage(`${place} has an impossible digest`);
  return identifier;
}
