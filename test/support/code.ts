/** The code of a context on a node: the blob in the folder of blobs, and the rows that name it. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toBase58 } from "../../src/bytes/base58.js";
import { fromHex } from "../../src/bytes/hex.js";
import { sha256 } from "../../src/crypto/index.js";
import { blobRootId } from "../../src/digests/index.js";
import { BlobMeta, ContextActivatedBlob } from "../../src/keys/index.js";
import { core011 } from "../../src/schemas/index.js";
import { openStore } from "../../src/store/index.js";
import { wasmWith } from "./bundles.js";
import { fixturePath } from "./fixtures.js";

/** The context "lobby" of node-a of core-0.11. */
export const LOBBY = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";

/** The manifest of the application of the context "lobby". */
export const KV_STORE = fixturePath("abi/core-0.11/kv-store.json");

/** A module with the manifest of the application of the context "lobby". */
export function kvStoreModule(): Buffer {
  return wasmWith(JSON.parse(readFileSync(KV_STORE, "utf8")) as object);
}

/**
 * Gives a context of a core-0.11 database code of one chunk.
 *
 * @returns the id of its blob
 */
export async function addCode(
  database: string,
  blobs: string,
  content: Uint8Array,
  context = LOBBY,
): Promise<Uint8Array> {
  const chunk = sha256(content);
  const blob = blobRootId([chunk]);
  mkdirSync(blobs, { recursive: true });
  writeFileSync(join(blobs, toBase58(chunk)), content);
  await using store = await openStore(database, { schema: core011, writable: true });
  const size = BigInt(content.length);
  await store
    .batch()
    .put(new BlobMeta({ blobId: chunk }), { size, hash: chunk, links: [], refs: 1 })
    .put(new BlobMeta({ blobId: blob }), { size, hash: chunk, links: [chunk], refs: 1 })
    .put(new ContextActivatedBlob({ contextId: fromHex(context) }), { blob })
    .write();
  return blob;
}
