/**
 * `CommitStorage`: 0 timestamp int64 · 1 generation uint64 · 2 root_node_id ObjectIdentifierStorage · 3 parents
 * [IdStorage], ids of 32 bytes.
 */
import { Builder } from "flatbuffers";
import type { Json } from "merostore/codec";
import { toHex } from "merostore/internal";
import { identifierJson, type ObjectIdentifier } from "../objects.js";
import { damage, readObject, TableReader, writeIdentifier } from "./table-reader.js";

/** The content of a commit apart from its id, which is a hash of these bytes. */
export interface CommitContent {
  /** Nanoseconds since the Unix epoch, UTC. A merge has the later time of its parents. */
  readonly timestamp: bigint;
  /** 1 + the greatest generation of the parents. */
  readonly generation: bigint;
  /** The root of the tree of entries. */
  readonly root: ObjectIdentifier;
  /** One id, or two for a merge, in ascending order; 32 bytes each. */
  readonly parents: readonly Uint8Array[];
}

/** Bytes of a commit's id. */
export const COMMIT_ID_SIZE = 32;

export function encodeCommit({ timestamp, generation, root, parents }: CommitContent): Uint8Array {
  const builder = new Builder(256);
  builder.startVector(COMMIT_ID_SIZE, parents.length, 1);
  for (const parent of parents.toReversed()) {
    for (let at = COMMIT_ID_SIZE - 1; at >= 0; at--) builder.writeInt8(parent[at] as number);
  }
  const ids = builder.endVector();
  const rootTable = writeIdentifier(builder, root);
  builder.startObject(4);
  builder.addFieldInt64(1, BigInt.asIntN(64, generation), 0n);
  builder.addFieldInt64(0, timestamp, 0n);
  builder.addFieldOffset(3, ids, 0);
  builder.addFieldOffset(2, rootTable, 0);
  builder.finish(builder.endObject());
  return builder.asUint8Array();
}

/** @throws MerostoreError DATA_INTEGRITY_ERROR */
export function decodeCommit(bytes: Uint8Array): CommitContent {
  const table = TableReader.root(bytes);
  const ids = table.structs(3, COMMIT_ID_SIZE);
  const count = (ids?.length ?? 0) / COMMIT_ID_SIZE;
  if (ids === undefined || count < 1 || count > 2)
    throw damage(`a commit has one parent or two, not ${count}`);
  const root = readObject(table.table(2), "the root of a commit");
  const parents = Array.from({ length: count }, (_, index) =>
    ids.subarray(index * COMMIT_ID_SIZE, (index + 1) * COMMIT_ID_SIZE),
  );
  return { timestamp: table.i64(0), generation: table.u64(1), root, parents };
}

export function commitJson({ timestamp, generation, root, parents }: CommitContent): Json {
  return {
    timestamp: timestamp.toString(),
    generation: generation.toString(),
    root: identifierJson(root),
    parents: parents.map(toHex),
  };
}
