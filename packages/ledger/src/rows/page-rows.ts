/** The rows of a page's database, of serialization versions 32 to 35, and the rows of the usage database. */
import { identity, u64, unit } from "merostore/codec";
import type { ByteRange } from "merostore/engine";
import { keyAfter } from "merostore/internal";
import { ledgerNameBytes, ledgerNameOf } from "../ledger-name.js";
import type { ObjectDigest } from "../objects.js";
import { PAGE_ID_SIZE } from "../page-id.js";
import {
  COMMIT_ID_SIZE,
  type CommitContent,
  commitJson,
  decodeCommit,
  encodeCommit,
} from "../tables/commit-table.js";
import { bytesPart, type KeyPart } from "./key-template.js";
import { digestPart, identifierPart, timestamp } from "./object-parts.js";
import { type AnyRow, Row, type ValueFormat } from "./row.js";

const commitId = bytesPart("commit", COMMIT_ID_SIZE);
const destination = digestPart("destination");
const source = digestPart("source");
const identifier = identifierPart("identifier");

const commitFormat: ValueFormat<CommitContent> = {
  encode: encodeCommit,
  decode: decodeCommit,
  toJson: commitJson,
};

/** `heads/` ‖ commit id (32): 38 bytes → the commit's timestamp (i64, nanoseconds, little-endian). */
export const headRow = new Row(
  "head",
  ["heads/", commitId],
  timestamp,
  "a commit that no other has as its parent",
);

/** `merges/` ‖ lesser parent (32) ‖ `/` ‖ greater parent (32) ‖ `/` ‖ commit id (32): 105 bytes → nothing. */
export const mergeRow = new Row(
  "merge",
  ["merges/", bytesPart("left", COMMIT_ID_SIZE), "/", bytesPart("right", COMMIT_ID_SIZE), "/", commitId],
  unit,
  "a commit that merges these two",
);

/** `commits/` ‖ commit id (32): 40 bytes → `CommitStorage`. The first commit, whose id is zero, has no row. */
export const commitRow = new Row("commit", ["commits/", commitId], commitFormat, "a commit");

/** `objects/` ‖ digest (33): 41 bytes → the piece. */
export const objectRow = new Row(
  "object",
  ["objects/", digestPart("digest")],
  identity,
  "a piece of a value or of a tree node",
);

/** `refcounts/` ‖ digest (33) ‖ `/object/eager/` ‖ digest (33): 90 bytes → nothing. */
export const eagerEdgeRow = new Row(
  "eager-edge",
  ["refcounts/", destination, "/object/eager/", source],
  unit,
  "a piece that names another which belongs to it",
);

/** `refcounts/` ‖ digest (33) ‖ `/object/lazy/` ‖ digest (33): 89 bytes → nothing. */
export const lazyEdgeRow = new Row(
  "lazy-edge",
  ["refcounts/", destination, "/object/lazy/", source],
  unit,
  "a tree node with an entry whose value may be fetched later",
);

/** `refcounts/` ‖ digest (33) ‖ `/commit/` ‖ commit id (32): 83 bytes → nothing. */
export const commitEdgeRow = new Row(
  "commit-edge",
  ["refcounts/", destination, "/commit/", commitId],
  unit,
  "a commit with this root",
);

/** `unsynced/commits/` ‖ commit id (32): 49 bytes → the commit's generation (u64, little-endian). */
export const unsyncedCommitRow = new Row(
  "unsynced-commit",
  ["unsynced/commits/", commitId],
  u64,
  "a commit that was made here and is in no cloud yet",
);

/** The status of a piece: used by a transaction, used by a commit, or in the cloud. */
export type PieceStatus = "transient" | "local" | "synced";

/** STATUS ‖ `/objects/` ‖ digest (33) ‖ key index (u32, little-endian): 55, 51 or 52 bytes → nothing. */
export const statusRows = {
  transient: new Row(
    "transient-piece",
    ["transient/objects/", identifier],
    unit,
    "a piece that no commit uses yet",
  ),
  local: new Row("local-piece", ["local/objects/", identifier], unit, "a piece that is in no cloud yet"),
  synced: new Row("synced-piece", ["synced/objects/", identifier], unit, "a piece that is in the cloud"),
} as const satisfies Record<PieceStatus, AnyRow>;

/** All statuses, in the order in which a piece takes them. */
export const PIECE_STATUSES: readonly PieceStatus[] = ["transient", "local", "synced"];

/** The rows of a status of a digest, under the numbers of all encryption keys. */
export function statusRange(status: PieceStatus, digest: ObjectDigest): ByteRange {
  const { key } = statusRows[status];
  const from = key.encode({ identifier: { keyIndex: 0, digest } });
  return { gte: from, lt: keyAfter(key.encode({ identifier: { keyIndex: 0xffff_ffff, digest } })) };
}

/** `sync_metadata/` ‖ a key of the cloud → a value of the cloud. */
export const syncMetadataRow = new Row(
  "sync-metadata",
  ["sync_metadata/", bytesPart("key")],
  identity,
  "what the cloud wants to remember",
);

/** `page_is_online`: 14 bytes → nothing. */
export const onlineRow = new Row(
  "online",
  ["page_is_online"],
  unit,
  "the page was in the cloud or at a peer once",
);

/** All kinds of rows of a page. */
export const pageRows: readonly AnyRow[] = [
  headRow,
  mergeRow,
  commitRow,
  objectRow,
  eagerEdgeRow,
  lazyEdgeRow,
  commitEdgeRow,
  unsyncedCommitRow,
  statusRows.transient,
  statusRows.local,
  statusRows.synced,
  syncMetadataRow,
  onlineRow,
];

/** The name of a ledger. */
const ledgerPart: KeyPart<"ledger", string> = {
  name: "ledger",
  size: undefined,
  encode: ledgerNameBytes,
  decode: ledgerNameOf,
  toJson: (name) => name,
};

/**
 * `opened/` ‖ name of the ledger ‖ page id (16) → when the page was closed last (i64, nanoseconds, little-endian). 0
 * while it is open; some versions wrote the smallest i64 instead.
 */
export const openedRow = new Row(
  "opened",
  ["opened/", ledgerPart, bytesPart("page", PAGE_ID_SIZE)],
  timestamp,
  "a page on this device",
);

/** All kinds of rows of the usage database. */
export const usageRows: readonly AnyRow[] = [openedRow];
