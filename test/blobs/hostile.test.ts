/** Rows that no node writes, and harmful content: nothing grows without bound, and no blob is lost. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import {
  blobChunks,
  blobFolder,
  deleteBlob,
  putBlob,
  readBlob,
  readBlobTable,
} from "../../src/blobs/index.js";
import { closure } from "../../src/blobs/removal.js";
import { type BlobRow, BlobTable } from "../../src/blobs/table.js";
import { concatAll } from "../../src/bytes/concat.js";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { sha256 } from "../../src/crypto/index.js";
import { core011 } from "../../src/schemas/index.js";
import { openStore, type Store } from "../../src/store/index.js";
import { intoPipe } from "../cli/run.js";
import { temporaryFolder } from "../support/fixtures.js";
import { listOf } from "../support/lists.js";
import { rejection } from "../support/rejection.js";
import { inPieces } from "./fixtures.js";

const id = (number: number) => new Uint8Array(32).fill(number);

/** A new node without blobs. */
async function newNode() {
  const temporary = temporaryFolder();
  const [data, blobs] = [join(temporary.path, "data"), join(temporary.path, "blobs")];
  mkdirSync(blobs);
  const store = await openStore(data, { create: true, schema: core011 });
  return {
    home: temporary.path,
    store,
    folder: await blobFolder(blobs),
    async [Symbol.asyncDispose]() {
      await store.close();
      temporary[Symbol.dispose]();
    },
  };
}

async function putRows(
  store: Store<typeof core011>,
  rows: readonly (readonly [id: Uint8Array, size: bigint, links: readonly Uint8Array[]])[],
): Promise<void> {
  const codec = core011.row("BlobMeta").value;
  await store.raw.write(
    rows.map(([key, size, links]) => ({
      type: "put",
      column: "Blobs",
      key,
      value: codec.encode({ size, hash: key, links: [...links], refs: 1 } as never),
    })),
  );
}

const chunksOf = async (store: Store<typeof core011>, blob: Uint8Array): Promise<number> =>
  (await listOf(blobChunks(store, blob))).length;

it("a row that a blob links again and again is in memory once", async () => {
  await using node = await newNode();
  const links = new Array<Uint8Array>(40_000).fill(id(3));
  await putRows(node.store, [
    [id(1), 1n, new Array<Uint8Array>(512).fill(id(2))],
    [id(2), 1n, links],
    [id(3), 0n, []],
  ]);
  const lookedUp = vi.spyOn(node.store.raw, "getMany");
  await expect(chunksOf(node.store, id(1))).rejects.toThrow(/more than 1048576 parts/);
  for (const [, keys] of lookedUp.mock.calls) expect(new Set(keys.map(toHex)).size).toBe(keys.length);
});

it("a blob has as many rows with links in it as nodes allow, and more are refused", async () => {
  await using node = await newNode();
  await putRows(node.store, [
    [id(1), 12_000n, new Array<Uint8Array>(12_000).fill(id(2))],
    [id(2), 1n, [id(3)]],
    [id(3), 1n, []],
  ]);
  expect(await chunksOf(node.store, id(1))).toBe(12_000);
});

it("the counts of a blob with many chunks are known in one pass", () => {
  let steps = 0;
  const names = Array.from({ length: 65_536 }, (_, at) => at.toString(16).padStart(64, "0"));
  const links = new Proxy(names, {
    get(target, name, receiver) {
      if (name === Symbol.iterator || name === "filter") steps++;
      return Reflect.get(target, name, receiver);
    },
  });
  const chunk = { size: 1n, hash: "", links: [], refs: 1 };
  const rows = new Map<string, BlobRow>([
    ...names.map((name) => [name, chunk] as const),
    ["f".repeat(64), { size: 65_536n, hash: "", links, refs: 3 }] as const,
  ]);
  const table = new BlobTable(rows, new Set());
  for (const name of names) expect(table.expectedRefs(name) === 3).toBe(true);
  expect(closure(table, new Map(), ["f".repeat(64)], false).removed.size).toBe(65_537);
  expect(steps).toBeLessThan(10);
});

it("content that is the list of another blob's chunks does not take its row, and the other way round", async () => {
  await using node = await newNode();
  const content = new Uint8Array(3000).fill(4);
  const list = sha256(content);
  const { blobId } = await putBlob(node.store, node.folder, inPieces(content));
  await rejection(putBlob(node.store, node.folder, inPieces(list)), "BLOB_IN_USE");
  await expect(putBlob(node.store, node.folder, inPieces(list), { dryRun: true })).rejects.toThrow(blobId);
  const read = await listOf(readBlob(node.store, node.folder, fromHex(blobId)));
  expect(toHex(sha256(concatAll(read)))).toBe(toHex(sha256(content)));
  await deleteBlob(node.store, node.folder, fromHex(blobId));
  await putBlob(node.store, node.folder, inPieces(list));
  await rejection(putBlob(node.store, node.folder, inPieces(content)), "BLOB_IN_USE");
  expect((await readBlobTable(node.store)).rows.get(blobId)?.links).toEqual([]);
});

it("a size that no number holds is printed exactly", async () => {
  await using node = await newNode();
  await putRows(node.store, [[id(1), 2n ** 64n - 1n, [id(2)]]]);
  await node.store.close();
  expect((await intoPipe("blobs", "list", node.home, "--json")).stdout).toContain(
    '"size":"18446744073709551615"',
  );
  const shown = await intoPipe("blobs", "show", node.home, toHex(id(1)));
  expect(shown.stdout).toContain("(18,446,744,073,709,551,615)");
});

it("with few buffers a blob has the same content, whatever its chunks are", async () => {
  await using node = await newNode();
  const content = new Uint8Array(7 * 1024 * 1024 + 17).map((_, at) => (at >> 20) + at);
  const { blobId } = await putBlob(node.store, node.folder, inPieces(content));
  const copies: Uint8Array[] = [];
  const buffers = new Set<ArrayBufferLike>();
  for await (const chunk of readBlob(node.store, node.folder, fromHex(blobId), { reuse: true })) {
    buffers.add(chunk.buffer);
    copies.push(Uint8Array.from(chunk));
  }
  expect(toHex(sha256(concatAll(copies)))).toBe(toHex(sha256(content)));
  expect(buffers.size).toBeLessThan(copies.length);
});
