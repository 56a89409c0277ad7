/**
 * `FileIndex`: 0 size uint64 · 1 children [ObjectChild]; `ObjectChild`: 0 size uint64 · 1 object_identifier
 * ObjectIdentifierStorage. The content of an INDEX piece.
 */
import { Builder } from "flatbuffers";
import type { ObjectIdentifier } from "../objects.js";
import { readObject, TableReader, writeIdentifier } from "./table-reader.js";

/** A piece, with the bytes of content in it and in its descendants. */
export interface SizedPiece {
  readonly identifier: ObjectIdentifier;
  readonly size: bigint;
}

export interface FileIndex {
  /** Bytes of content: the sum of the sizes of the children. */
  readonly size: bigint;
  readonly children: readonly SizedPiece[];
}

/** Encodes the index of these pieces. */
export function encodeFileIndex(children: readonly SizedPiece[]): Uint8Array {
  const builder = new Builder(1024);
  const tables = children.map(({ identifier, size }) => {
    const at = writeIdentifier(builder, identifier);
    builder.startObject(2);
    builder.addFieldInt64(0, BigInt.asIntN(64, size), 0n);
    builder.addFieldOffset(1, at, 0);
    return builder.endObject();
  });
  const vector = writeTables(builder, tables);
  builder.startObject(2);
  builder.addFieldInt64(0, BigInt.asIntN(64, totalSize(children)), 0n);
  builder.addFieldOffset(1, vector, 0);
  builder.finish(builder.endObject());
  return builder.asUint8Array();
}

/**
 * Decodes an index. Does not check that the sizes add up.
 *
 * @throws MerostoreError DATA_INTEGRITY_ERROR
 */
export function decodeFileIndex(bytes: Uint8Array): FileIndex {
  const table = TableReader.root(bytes);
  const children = (table.tables(1) ?? []).map((child) => ({
    size: child.u64(0),
    identifier: readObject(child.table(1), "a child of an index"),
  }));
  return { size: table.u64(0), children };
}

export function totalSize(children: readonly SizedPiece[]): bigint {
  return children.reduce((sum, { size }) => sum + size, 0n);
}

/** Appends a vector of tables. */
export function writeTables(builder: Builder, tables: readonly number[]): number {
  builder.startVector(4, tables.length, 4);
  for (const table of tables.toReversed()) builder.addOffset(table);
  return builder.endVector();
}
