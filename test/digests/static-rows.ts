/** Rows whose key follows from their own value: blobs, applications, group keys. */
import { equalBytes } from "../../src/bytes/order.js";
import type { Codec } from "../../src/codec/index.js";
import * as digest from "../../src/digests/index.js";
import * as key from "../../src/keys/index.js";
import type * as value from "../../src/values/index.js";
import type { Rows, Tally } from "./rows.js";

/** Counts the rows whose key has the id of their value. */
export function countStatic(
  rows: Rows,
  tally: Tally,
  blobs: Codec<value.BlobMetaValue010>,
  applications: Codec<value.ApplicationMetaValue010>,
  groupKeys: Codec<value.GroupKeyValue010>,
): void {
  for (const { key: at, value: blob } of rows.of(key.BlobMeta, blobs)) {
    tally.check(blob.links.length === 0 ? "chunk id" : "blob id", equalBytes(digest.blobId(blob), at.blobId));
  }
  for (const { key: at, value: meta } of rows.of(key.ApplicationMeta, applications)) {
    if (meta.signerId !== "") {
      tally.check("bundle id", equalBytes(digest.bundleApplicationId(meta), at.applicationId));
    } else if (meta.size === 0n) tally.check("stub application");
    else tally.check("module id", equalBytes(digest.moduleApplicationId(meta), at.applicationId));
  }
  for (const {
    key: at,
    value: { groupKey },
  } of rows.of(key.GroupKeyEntry, groupKeys)) {
    tally.check("key id", equalBytes(digest.keyId(groupKey), at.keyId));
  }
}
