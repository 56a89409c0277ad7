/** Adding and deleting blobs leave the rows and files that nodes make. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import {
  blobFolder,
  checkBlobs,
  deleteBlob,
  putBlob,
  readBlob,
  readBlobTable,
} from "../../src/blobs/index.js";
import { toBase58 } from "../../src/bytes/base58.js";
import { concatAll } from "../../src/bytes/concat.js";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { equalBytes } from "../../src/bytes/order.js";
import { ApplicationMeta } from "../../src/keys/index.js";
import type { core011 } from "../../src/schemas/index.js";
import { openStore, type Store } from "../../src/store/index.js";
import { fixturePath, temporaryFolder } from "../support/fixtures.js";
import { listOf } from "../support/lists.js";
import { rejection } from "../support/rejection.js";
import { rowText } from "../support/transfer.js";
import { rowsOf } from "../verify/altered.js";
import { copyOfNode, inPieces, NODES, type NodeCopy, putRow } from "./fixtures.js";

const MIB = 1024 * 1024;
const sha = (...parts: readonly Uint8Array[]) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
};

for (const [revision, name] of Object.entries(NODES) as [keyof typeof NODES, string][])
  it(`every blob that a ${revision} node wrote is written again as the same rows and files`, async () => {
    await using source = await openStore(fixturePath(name, "db"));
    const from = await blobFolder(fixturePath(name, "blobs"));
    using temporary = temporaryFolder();
    const [data, blobs] = [join(temporary.path, "data"), join(temporary.path, "blobs")];
    mkdirSync(blobs);
    await using store = await openStore(data, { create: true, schema: source.schema });
    const folder = await blobFolder(blobs);
    const table = await readBlobTable(source);
    expect(table.rows.size).toBe(23);
    for (const id of table.roots()) {
      const added = Math.max(1, table.rows.get(id)?.refs ?? 1);
      for (let time = 0; time < added; time++)
        expect((await putBlob(store, folder, readBlob(source, from, fromHex(id)))).blobId).toBe(id);
    }
    const rows = async ({ raw }: typeof store) =>
      (await raw.scan("Blobs").toArray()).map((row) => rowText("Blobs", row));
    expect(await rows(store)).toEqual(await rows(source));
    expect(readdirSync(blobs).sort()).toEqual(readdirSync(from.path).sort());
    for (const file of readdirSync(blobs))
      expect(equalBytes(readFileSync(join(blobs, file)), readFileSync(join(from.path, file)))).toBe(true);
  });

it("equal chunks are one row and one file, and count every occurrence of every addition", async () => {
  await using node = await copyOfNode();
  const { store, folder } = node;
  const full = new Uint8Array(MIB).fill(7);
  const content = concatAll([full, full, new Uint8Array([1, 2, 3])]);
  const before = await readBlobTable(store);
  const { blobId, chunks, files } = await putBlob(store, folder, inPieces(content));
  const [chunk, last] = [sha(full), sha(new Uint8Array([1, 2, 3]))];
  expect({ blobId, chunks, files }).toEqual({
    blobId: sha(fromHex(chunk), fromHex(chunk), fromHex(last)),
    chunks: 3,
    files: 2,
  });
  await putBlob(store, folder, inPieces(content));
  const { rows } = await readBlobTable(store);
  expect(rows.get(blobId)).toEqual({
    size: BigInt(2 * MIB + 3),
    hash: sha(content),
    links: [chunk, chunk, last],
    refs: 2,
  });
  expect(rows.get(chunk)).toEqual({ size: BigInt(MIB), hash: chunk, links: [], refs: 4 });
  expect(rows.get(last)?.refs).toBe(2);
  expect(readFileSync(join(node.blobs, toBase58(fromHex(last))))).toEqual(Buffer.from([1, 2, 3]));

  expect(await deleteBlob(store, folder, fromHex(blobId))).toMatchObject({ removed: [], refs: 1 });
  expect((await readBlobTable(store)).rows.get(chunk)?.refs).toBe(2);
  expect((await deleteBlob(store, folder, fromHex(blobId))).removed).toHaveLength(3);
  expect((await readBlobTable(store)).rows).toEqual(before.rows);
  for await (const { severity } of checkBlobs(store, folder)) expect(severity).not.toBe("error");
});

it("empty content is one row without a file; a file of exactly 1 MiB is one chunk", async () => {
  await using node = await copyOfNode("core-0.10");
  const { store, folder } = node;
  const files = readdirSync(node.blobs).length;
  const empty = await putBlob(store, folder, inPieces(new Uint8Array()));
  expect(empty.blobId).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  const one = await putBlob(store, folder, inPieces(new Uint8Array(MIB)));
  expect(one).toMatchObject({ chunks: 1, refs: undefined });
  expect(readdirSync(node.blobs)).toHaveLength(files + 1);
});

/** Adds two blobs whose first chunk is the same. */
async function putTwo({ store, folder }: NodeCopy) {
  const shared = new Uint8Array(MIB).fill(9);
  const put = (last: number) => putBlob(store, folder, inPieces(concatAll([shared, new Uint8Array([last])])));
  return { shared: fromHex(sha(shared)), first: (await put(1)).blobId, second: (await put(2)).blobId };
}

describe("a deletion", () => {
  it("in core-0.10 keeps chunks that another blob has", async () => {
    await using node = await copyOfNode("core-0.10");
    const { store, folder } = node;
    const { first, second } = await putTwo(node);
    const done = await deleteBlob(store, folder, fromHex(first));
    expect([...done.removed].sort()).toEqual([first, sha(new Uint8Array([1]))].sort());
    expect(concatAll(await listOf(readBlob(store, folder, fromHex(second))))).toHaveLength(MIB + 1);
  });

  it("refuses what anything names, and parts of blobs", async () => {
    await using node = await copyOfNode();
    const { store, folder } = node;
    const { rows } = await readBlobTable(store);
    const applications = await rowsOf(store as Store<typeof core011>, ApplicationMeta);
    const used = applications.map(({ value }) => value.bytecode).find((id) => rows.has(toHex(id)));
    await rejection(deleteBlob(store, folder, used as Uint8Array), "BLOB_IN_USE");
    const [chunk] = [...rows].filter(([, { links }]) => links.length > 0).flatMap(([, { links }]) => links);
    await rejection(deleteBlob(store, folder, fromHex(chunk as string)), "BLOB_IN_USE");
    expect((await readBlobTable(store)).rows).toEqual(rows);
  });

  it("keeps a chunk that another blob links, however few references its row counts", async () => {
    await using node = await copyOfNode();
    const { store, folder } = node;
    const { shared: hash, first, second } = await putTwo(node);
    await putRow(node, hash, { size: BigInt(MIB), hash });
    await deleteBlob(store, folder, fromHex(first));
    expect((await readBlobTable(store)).rows.get(toHex(hash))?.refs).toBe(1);
    await listOf(readBlob(store, folder, fromHex(second)));
  });
});

it("the names of files that a killed addition left are durable before the rows of the next one", async () => {
  await using node = await copyOfNode();
  const content = Buffer.from("written before the kill");
  const chunk = createHash("sha256").update(content).digest();
  await node.folder.write(chunk, content);
  const [sync, write] = [vi.spyOn(node.folder, "sync"), vi.spyOn(node.store.raw, "write")];
  expect(await putBlob(node.store, node.folder, inPieces(content))).toMatchObject({ files: 0, chunks: 1 });
  expect([sync.mock.calls.length, write.mock.calls.length]).toEqual([1, 1]);
  expect(sync.mock.invocationCallOrder[0]).toBeLessThan(write.mock.invocationCallOrder[0] as number);
});
