/** Blobs: the id of a blob follows from the ids of its chunks, and the id of a chunk is the hash of its bytes. */

import { IdTable } from "../../bytes/id-table.js";
import { equalBytes } from "../../bytes/order.js";
import { sha256, startSha256 } from "../../crypto/index.js";
import { blobRootId, CHUNK_SIZE } from "../../digests/index.js";
import { BlobMeta } from "../../keys/index.js";
import type { ValueFor } from "../../schemas/index.js";
import { ADD_BLOB, NOTHING } from "../advice.js";
import type { RowFinding } from "../finding.js";
import { type GoodRow, on, onBatch, onEach, onEqual, type Rule } from "../rule.js";
import { type Since010, since10, since010, since011, until011 } from "../since.js";
import type { Tools } from "../tools.js";

const chunkId: Rule = {
  name: "chunk-id",
  relations: [4],
  severity: "error",
  says: "A chunk's id is its hash (before core-1.0), and it has at most 1 MiB.",
  means: "The record of the chunk is wrong. A node that asks for the chunk by its id gets other content.",
  advice: ADD_BLOB,
  checks: [
    // Since core-1.0 new chunks have another id.
    onEqual(until011, BlobMeta, "the chunk's id is not its hash", ({ key, value }) =>
      isChunk(value) ? [key.blobId, value.hash] : undefined,
    ),
    onEach(since010, BlobMeta, function* ({ key, value }, tools) {
      if (!isChunk(value)) return;
      tools.checked();
      if (value.size > CHUNK_SIZE)
        yield {
          key,
          message: "the chunk is too large",
          found: value.size,
          expected: `at most ${CHUNK_SIZE}`,
        };
    }),
  ],
};

const chunkFile: Rule = {
  name: "chunk-file",
  relations: [4, 6],
  severity: "error",
  says: "The file of a chunk has the size and the hash that its row says.",
  means:
    "Content of the blob is missing or damaged. What uses the blob, such as an application, does not run.",
  advice: "Restore the file from a copy of the folder of blobs, or add the blob to the node again.",
  pairs: true,
  needsBlobs: true,
  checks: [
    onBatch(since010, BlobMeta, async function* (rows, tools) {
      for (const { key, value } of rows) {
        if (value.links.length > 0) continue;
        tools.checked();
        const content = await tools.blobs?.read(key.blobId);
        if (value.size === 0n) {
          if (content !== undefined) yield { key, message: "an empty blob has a file" };
        } else if (content === undefined) yield { key, message: "the chunk has no file" };
        else if (BigInt(content.length) !== value.size) {
          const message = "the chunk's file has another size";
          yield { key, message, found: content.length, expected: value.size, severity: "error" };
        } else {
          const [found] = await tools.sha256([content]);
          if (found === undefined || equalBytes(found, value.hash)) continue;
          const message = "the bytes of the chunk's file have another hash";
          yield { key, message, found, expected: value.hash, severity: "error" };
        }
      }
    }),
  ],
};

const blobId: Rule = {
  name: "blob-id",
  relations: [5, 6],
  severity: "error",
  says: "A blob's id is the hash of its chunks' ids, also of a single one.",
  means: "The record of the blob is wrong. Its id belongs to other content.",
  advice: ADD_BLOB,
  checks: [
    onEqual(
      since010,
      BlobMeta,
      "the blob's id does not follow from its chunks",
      ({ key, value: { links } }) => (links.length === 0 ? undefined : [key.blobId, blobRootId(links)]),
    ),
  ],
};

const emptyBlob: Rule = {
  name: "empty-blob",
  relations: [6],
  severity: "error",
  says: "The id and the hash of an empty blob are the SHA-256 of the empty byte string.",
  means: "The record of the blob is wrong: its size is 0, but its id or hash belongs to some content.",
  advice: ADD_BLOB,
  checks: [
    onEach(since010, BlobMeta, function* ({ key, value: { size, hash, links } }, tools) {
      if (links.length > 0 || size > 0n) return;
      tools.checked();
      const expected = sha256();
      if (!equalBytes(key.blobId, expected) || !equalBytes(hash, expected))
        yield { key, message: "the blob has no content, but the id or hash of some", found: hash, expected };
    }),
  ],
};

const blobChunks: Rule = {
  name: "blob-chunks",
  relations: [5],
  severity: "error",
  says: "All chunks of a blob are there, full but for the last, and together have its size.",
  means: "The blob is incomplete, and cannot be read as a whole.",
  advice: ADD_BLOB,
  pairs: true,
  checks: [
    onBatch(until011, BlobMeta, (rows, tools) => chunksOf(rows, tools, false)),
    onBatch(since10, BlobMeta, (rows, tools) => chunksOf(rows, tools, true)),
  ],
};

/**
 * @param maybeElsewhere whether a blob may be complete although none of its links has a row: its chunks may have other
 * ids
 */
async function* chunksOf(
  rows: readonly GoodRow<BlobMeta, ValueFor<Since010, BlobMeta>>[],
  tools: Tools<Since010>,
  maybeElsewhere: boolean,
): AsyncGenerator<RowFinding, void, undefined> {
  for (const { key, value } of rows) {
    if (value.links.length === 0) continue;
    const chunks = await tools.join(value.links, (blobId) => new BlobMeta({ blobId }));
    if (maybeElsewhere && chunks.every(([, { there }]) => !there)) continue;
    tools.checked();
    let size = 0n;
    let complete = true;
    const last = value.links.length - 1;
    for (const [at, [link, { there, value: chunk }]] of chunks.entries()) {
      if (chunk === undefined) complete = false;
      if (!there) yield { key, message: "a chunk of the blob is missing", expected: link, about: link };
      if (chunk === undefined) continue;
      size += chunk.size;
      const severity = "error";
      if (chunk.links.length > 0 || chunk.size === 0n)
        yield { key, message: "a part of the blob is not a chunk", found: link, severity };
      else if (at < last && chunk.size !== BigInt(CHUNK_SIZE))
        yield { key, message: "a chunk before the last is not full", found: link, severity };
    }
    if (complete && size !== value.size) {
      const message = "the chunks of the blob have another size than the blob";
      yield { key, message, found: value.size, expected: size, severity: "error" };
    }
  }
}

const chunkUsed: Rule = {
  name: "chunk-used",
  relations: [5],
  severity: "info",
  says: "A chunk is a part of some blob; an upload that broke off leaves chunks behind.",
  means: "The chunk takes up space and has no use.",
  advice: "Nothing, unless a blob is missing. Then add that blob to the node again.",
  checks: [
    on(since010, BlobMeta, async function* (batches, tools) {
      const used = new IdTable();
      let chunks = 0;
      for await (const rows of batches) {
        for (const { value } of rows) {
          for (const link of value.links) used.add(link);
          if (isChunk(value)) chunks++;
        }
      }
      tools.checked(chunks);
      if (chunks === 0) return;
      for await (const rows of tools.scan(BlobMeta.range({}))) {
        for (const { key, value } of rows) {
          const message = "no blob has the chunk: its row is lost, or its upload broke off";
          if (isChunk(value) && !used.has(key.blobId) && !used.has(value.hash)) yield { key, message };
        }
      }
    }),
  ],
};

function isChunk({ size, links }: { readonly size: bigint; readonly links: readonly Uint8Array[] }): boolean {
  return links.length === 0 && size > 0n;
}

const blobContent: Rule = {
  name: "blob-content",
  relations: [5],
  severity: "error",
  says: "A blob's hash is the hash of the files of its chunks, one after another.",
  means: "The blob has other content than was stored. An application in it may not run, or run other code.",
  advice: ADD_BLOB,
  needsBlobs: true,
  checks: [
    onBatch(since010, BlobMeta, async function* (rows, tools) {
      for (const { key, value } of rows) {
        if (value.links.length === 0) continue;
        const hash = startSha256();
        let complete = true;
        for (const link of value.links) {
          const content = await tools.blobs?.read(link);
          if (content === undefined) complete = false;
          else hash.update(content);
        }
        if (!complete) continue; // `chunk-file` reports the missing file
        tools.checked();
        const found = new Uint8Array(hash.digest());
        if (!equalBytes(found, value.hash))
          yield { key, message: "the content has another hash than the blob", found, expected: value.hash };
      }
    }),
  ],
};

const blobRefs: Rule = {
  name: "blob-refs",
  relations: [7],
  severity: "info",
  says: "A blob was added at least once.",
  means: "The node counts no use of the blob, and may remove it.",
  advice: NOTHING,
  checks: [
    onEach(since011, BlobMeta, function* ({ key, value }, tools) {
      tools.checked();
      if (value.refs === 0)
        yield { key, message: "the blob was added no time", found: 0, expected: "1 or more" };
    }),
  ],
};

export const blobRules: readonly Rule[] = [
  chunkId,
  chunkFile,
  blobId,
  emptyBlob,
  blobChunks,
  chunkUsed,
  blobContent,
  blobRefs,
];
