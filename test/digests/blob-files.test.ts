/** The chunks of blobs as files: names, sizes and contents agree with the rows. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fromBase58 } from "../../src/bytes/base58.js";
import { toHex } from "../../src/bytes/hex.js";
import type { Codec } from "../../src/codec/index.js";
import { sha256 } from "../../src/crypto/index.js";
import { blobRootId, CHUNK_SIZE } from "../../src/digests/index.js";
import * as key from "../../src/keys/index.js";
import { core010, core011, type Schema } from "../../src/schemas/index.js";
import { BlobMetaValue, BlobMetaValue010 } from "../../src/values/index.js";
import { fixturePath } from "../support/fixtures.js";
import { Rows } from "./rows.js";

function check(fixture: string, schema: Schema, codec: Codec<BlobMetaValue010>): Record<string, number> {
  const folder = fixturePath(fixture, "blobs");
  const chunks = new Map(
    readdirSync(folder).map((name) => [toHex(fromBase58(name)), readFileSync(`${folder}/${name}`)]),
  );
  for (const [id, content] of chunks) expect(toHex(sha256(content))).toBe(id);
  const counts = { files: chunks.size, chunks: 0, roots: 0 };
  for (const { key: at, value: blob } of new Rows(fixture, schema).of(key.BlobMeta, codec)) {
    if (blob.size === 0n) continue;
    if (blob.links.length === 0) {
      expect(chunks.get(toHex(at.blobId))?.length).toBe(Number(blob.size));
      counts.chunks++;
      continue;
    }
    const content = blob.links.map((id) => chunks.get(toHex(id)) as Buffer);
    for (const chunk of content.slice(0, -1)) expect(chunk.length).toBe(CHUNK_SIZE);
    expect(sha256(...content)).toEqual(blob.hash);
    expect(blobRootId(blob.links)).toEqual(at.blobId);
    expect(content.reduce((size, chunk) => size + chunk.length, 0)).toBe(Number(blob.size));
    counts.roots++;
  }
  return counts;
}

describe("chunk files", () => {
  it("of core-0.10", () => {
    expect(check("core-0.10/log-and-tables", core010, BlobMetaValue010)).toEqual({
      files: 12,
      chunks: 12,
      roots: 10,
    });
  });
  it("of core-0.11", () => {
    expect(check("core-0.11/log", core011, BlobMetaValue)).toEqual({ files: 11, chunks: 11, roots: 11 });
  });
});
