/** Every possible state of rows and files is made, and found by its name. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  blobChunks,
  checkBlobs,
  collectBlobs,
  putBlob,
  readBlob,
  readBlobTable,
  repairBlobCounts,
} from "../../src/blobs/index.js";
import { toBase58 } from "../../src/bytes/base58.js";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { sha256 } from "../../src/crypto/index.js";
import { ApplicationMeta } from "../../src/keys/index.js";
import type { core011 } from "../../src/schemas/index.js";
import type { Store } from "../../src/store/index.js";
import { listOf } from "../support/lists.js";
import { rejection } from "../support/rejection.js";
import { edit, rowsOf } from "../verify/altered.js";
import { copyOfNode, inPieces, type NodeCopy, putRow } from "./fixtures.js";

const CONTENT = new Uint8Array(3000).fill(3);
const CHUNK = toHex(sha256(CONTENT));
const BLOB = toHex(sha256(sha256(CONTENT)));
const OTHER = toHex(new Uint8Array(32).fill(5));
const UNFINISHED = `${toBase58(fromHex(OTHER))}.tmp-17-0`;

const states = async (node: NodeCopy): Promise<readonly string[]> =>
  (await listOf(checkBlobs(node.store, node.folder))).map(
    ({ state, severity, blobId, file }) => `${severity} ${state} ${blobId ?? file}`,
  );

const deleteRow = (node: NodeCopy, id: string) =>
  node.store.raw.write([{ type: "delete", column: "Blobs", key: fromHex(id) }]);
const fileOf = (node: NodeCopy, id = CHUNK) => join(node.blobs, toBase58(fromHex(id)));
const chunk = { size: BigInt(CONTENT.length), hash: fromHex(CHUNK) };
const root = { ...chunk, links: [fromHex(CHUNK)] };

const made: readonly (readonly [make: (node: NodeCopy) => unknown, ...found: string[]])[] = [
  [(node) => rmSync(fileOf(node)), `error file-missing ${CHUNK}`],
  [(node) => writeFileSync(fileOf(node), ""), `error file-empty ${CHUNK}`],
  [(node) => writeFileSync(fileOf(node), CONTENT.with(17, 4)), `error file-damaged ${CHUNK}`],
  [(node) => deleteRow(node, CHUNK), `error chunk-missing ${CHUNK}`, `info file-without-row ${CHUNK}`],
  [(node) => putRow(node, fromHex(BLOB), { ...root, size: 2999n }), `error row-broken ${BLOB}`],
  [(node) => putRow(node, fromHex(BLOB), { ...root, hash: fromHex(OTHER) }), `error row-broken ${BLOB}`],
  [(node) => putRow(node, fromHex(CHUNK), { ...chunk, refs: 0 }), `warning count-low ${CHUNK}`],
  [(node) => putRow(node, fromHex(CHUNK), { ...chunk, refs: 4 }), `info count-high ${CHUNK}`],
  [(node) => deleteRow(node, BLOB), `info chunk-unused ${CHUNK}`],
  // A count is too high only where a blob has the chunk.
  [
    async (node) => {
      await putRow(node, fromHex(CHUNK), { ...chunk, refs: 4 });
      await deleteRow(node, BLOB);
    },
    `info chunk-unused ${CHUNK}`,
  ],
  [(node) => writeFileSync(fileOf(node, OTHER), "left"), `info file-without-row ${OTHER}`],
  [(node) => writeFileSync(join(node.blobs, UNFINISHED), "left"), `info file-unfinished ${UNFINISHED}`],
  [(node) => writeFileSync(join(node.blobs, "notes.txt"), ""), "info file-foreign notes.txt"],
  [
    async ({ store }) => {
      const [{ key }] = await rowsOf(store as Store<typeof core011>, ApplicationMeta);
      await edit(store as Store<typeof core011>, key, () => ({ compiled: fromHex(OTHER) }));
    },
    `warning blob-missing ${OTHER}`,
  ],
];

it("finds each state, and nothing else than before", async () => {
  const found = new Set<string | undefined>();
  for (const [make, ...expected] of made) {
    await using node = await copyOfNode();
    await putBlob(node.store, node.folder, inPieces(CONTENT));
    const before = await states(node);
    expect(before, "a blob that nothing names").toContain(`info blob-unnamed ${BLOB}`);
    await make(node);
    const after = await states(node);
    expect(after.filter((one) => !before.includes(one)).sort()).toEqual(expected);
    const unnamed = `info blob-unnamed ${BLOB}`;
    expect(before.filter((one) => !after.includes(one) && one !== unnamed)).toEqual([]);
    found.add(expected[0]?.split(" ")[1]);
  }
  expect(found.size + 1).toBe(13);
});

it("a finding about a chunk names the blob that has it", async () => {
  await using node = await copyOfNode();
  await putBlob(node.store, node.folder, inPieces(CONTENT));
  rmSync(fileOf(node));
  const lost = (await listOf(checkBlobs(node.store, node.folder))).filter(
    ({ state }) => state === "file-missing",
  );
  expect(lost.map(({ message }) => message)).toEqual([
    `the chunk of blob ${BLOB} has no file: its content is lost`,
  ]);
});

it("the counts of a real node are right, and others are repaired to them", async () => {
  await using node = await copyOfNode();
  expect(await repairBlobCounts(node.store)).toEqual([]);
  const { rows } = await readBlobTable(node.store);
  const wrong = [...rows].slice(0, 4);
  for (const [id, { size, hash, links }] of wrong)
    await putRow(node, fromHex(id), { size, hash: fromHex(hash), links: links.map(fromHex), refs: 0 });
  expect((await repairBlobCounts(node.store, { dryRun: true })).map(({ blobId }) => blobId)).toEqual(
    wrong.map(([id]) => id),
  );
  expect(await repairBlobCounts(node.store)).toHaveLength(4);
  expect((await readBlobTable(node.store)).rows).toEqual(rows);
});

it("collects leftovers, and blobs that nothing names only if asked to", async () => {
  await using node = await copyOfNode();
  const before = (await readBlobTable(node.store)).rows;
  await putBlob(node.store, node.folder, inPieces(CONTENT));
  await deleteRow(node, BLOB);
  writeFileSync(fileOf(node, OTHER), "left");
  writeFileSync(join(node.blobs, UNFINISHED), "left");
  writeFileSync(join(node.blobs, "notes.txt"), "mine");
  const unnamed = { chunks: [CHUNK], files: [OTHER], rows: 1, bytes: 3008 };
  expect(await collectBlobs(node.store, node.folder, { dryRun: true })).toMatchObject(unnamed);
  expect(await collectBlobs(node.store, node.folder)).toMatchObject(unnamed);
  expect((await readBlobTable(node.store)).rows).toEqual(before);
  expect((await states(node)).filter((one) => !one.includes("blob-"))).toEqual([
    "info file-foreign notes.txt",
  ]);
  const { unnamed: all } = await collectBlobs(node.store, node.folder, { unnamed: true });
  const { rows } = await readBlobTable(node.store);
  expect(all.length).toBeGreaterThan(0);
  expect(all.filter((id) => rows.has(id))).toEqual([]);
  expect((await states(node)).filter((one) => one.startsWith("error"))).toEqual([]);
});

it("hostile rows are refused by name: cycles, depth, more content than the row says", async () => {
  await using node = await copyOfNode();
  const read = (id: string) => listOf(readBlob(node.store, node.folder, fromHex(id)));
  const ids = Array.from({ length: 70 }, (_, at) => toHex(new Uint8Array(32).fill(100 + at)));
  for (const [at, id] of ids.entries())
    await putRow(node, fromHex(id), { ...chunk, size: 1n << 60n, links: [fromHex(ids[at + 1] ?? BLOB)] });
  await rejection(read(ids[0] as string), "BLOB_BROKEN", /levels/);
  // The same parts without content, 60 levels of them: first directly below the blob, then 10 levels further down.
  for (const [at, id] of ids.entries())
    await putRow(node, fromHex(id), {
      ...chunk,
      size: 0n,
      links: at === 69 ? [] : [fromHex(ids[at + 1] as string)],
    });
  await putRow(node, fromHex(OTHER), {
    ...chunk,
    size: 0n,
    links: [fromHex(ids[10] as string), fromHex(ids[0] as string)],
  });
  await rejection(read(OTHER), "BLOB_BROKEN", /levels/);
  await putRow(node, fromHex(OTHER), { ...chunk, links: [fromHex(OTHER)] });
  await rejection(read(OTHER), "BLOB_BROKEN", /contains itself/);
  // Each of 40 levels links the next one twice: 2⁴⁰ ways down.
  for (const [at, id] of ids.slice(0, 40).entries()) {
    const below = at === 39 ? CHUNK : (ids[at + 1] as string);
    await putRow(node, fromHex(id), { ...chunk, links: [fromHex(below), fromHex(below)] });
  }
  await putRow(node, fromHex(CHUNK), { size: 1n, hash: fromHex(CHUNK) });
  const start = ids[0] as string;
  await putRow(node, fromHex(start), {
    ...chunk,
    size: 100n,
    links: [fromHex(ids[1] as string), fromHex(ids[1] as string)],
  });
  await rejection(listOf(blobChunks(node.store, fromHex(start))), "BLOB_BROKEN", /more bytes/);
  await rejection(read("01".repeat(32)), "BLOB_NOT_FOUND");
});
