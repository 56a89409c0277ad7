/** Blobs of core-1.0: the chunks lie under ids that cannot be computed. */
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import {
  blobFolder,
  checkBlobs,
  collectBlobs,
  deleteBlob,
  putBlob,
  readBlob,
} from "../../src/blobs/index.js";
import { blobRootId } from "../../src/digests/index.js";
import { BlobMeta } from "../../src/keys/index.js";
import { core10 } from "../../src/schemas/index.js";
import { memoryStore } from "../../src/testing/memory-store.js";
import { temporaryFolder } from "../support/fixtures.js";
import { listOf } from "../support/lists.js";
import { rejection } from "../support/rejection.js";
import { inPieces } from "./fixtures.js";

const content = new TextEncoder().encode("a photo");
const digest = new Uint8Array(createHash("sha256").update(content).digest());
const root = blobRootId([digest]);
const elsewhere = new Uint8Array(32).fill(7);
const size = BigInt(content.length);

async function node(rootId = root) {
  const temporary = temporaryFolder();
  const folder = await blobFolder(temporary.path);
  await folder.write(elsewhere, content);
  const store = memoryStore(core10);
  await store.put(new BlobMeta({ blobId: rootId }), { size, hash: digest, links: [digest], refs: 1 });
  await store.put(new BlobMeta({ blobId: elsewhere }), { size, hash: digest, links: [], refs: 1 });
  return {
    folder,
    store,
    async [Symbol.asyncDispose]() {
      await store.close();
      temporary[Symbol.dispose]();
    },
  };
}

async function findings({ store, folder }: Awaited<ReturnType<typeof node>>) {
  return (await listOf(checkBlobs(store, folder))).map(({ state, blobId }) => [state, blobId]);
}

it("no chunk is called missing, unused or wrong; the id of a blob is checked", async () => {
  await using sound = await node();
  expect(await findings(sound)).toEqual([]);
  const wrong = new Uint8Array(32).fill(9);
  await using broken = await node(wrong);
  expect(await findings(broken)).toEqual([["row-broken", "09".repeat(32)]]);
});

it("nothing is added, deleted or collected", async () => {
  await using copy = await node();
  const { store, folder } = copy;
  await rejection(putBlob(store, folder, inPieces(content, 3)), "WRITING_UNSUPPORTED");
  await rejection(deleteBlob(store, folder, root), "WRITING_UNSUPPORTED");
  await rejection(collectBlobs(store, folder), "WRITING_UNSUPPORTED");
  expect(await store.table(BlobMeta).count()).toBe(2);
  expect(await folder.read(elsewhere)).toEqual(content);
});

it("the content says that its chunks are not found", async () => {
  await using copy = await node();
  const read = listOf(readBlob(copy.store, copy.folder, root));
  await expect(read).rejects.toThrow(/lies under an id that is not known/);
});
