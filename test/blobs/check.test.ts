/** Every possible state of rows and files is made, and found by its name. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  type BlobState,
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
import { rejection } from "../support/rejection.js";
import { copyOfNode, inPieces, type NodeCopy } from "./fixtures.js";

const CONTENT = new Uint8Array(3000).fill(3);
const CHUNK = toHex(sha256(CONTENT));
const BLOB = toHex(sha256(sha256(CONTENT)));
const OTHER = toHex(new Uint8Array(32).fill(5));

async function states(node: NodeCopy): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const { state, severity, blobId, file } of checkBlobs(node.store, node.folder))
    all.push(`${severity} ${state} ${blobId ?? file}`);
  return all;
}

/** Writes the row of a blob, in place of one that is there. */
async function putRow(node: NodeCopy, id: string, row: object): Promise<void> {
  const value = node.store.schema.row("BlobMeta").value.encode({ links: [], refs: 1, ...row } as never);
  await node.store.raw.write([{ type: "put", column: "Blobs", key: fromHex(id), value }]);
}

const deleteRow = (node: NodeCopy, id: string) =>
  node.store.raw.write([{ type: "delete", column: "Blobs", key: fromHex(id) }]);
const fileOf = (node: NodeCopy, id = CHUNK) => join(node.blobs, toBase58(fromHex(id)));
const chunk = { size: BigInt(CONTENT.length), hash: fromHex(CHUNK) };
const root = { ...chunk, links: [fromHex(CHUNK)] };

const made: readonly (readonly [
  state: BlobState,
  found: readonly string[],
  make: (node: NodeCopy) => unknown,
])[] = [
  ["file-missing", [`error file-missing ${CHUNK}`], (node) => rmSync(fileOf(node))],
  ["file-empty", [`error file-empty ${CHUNK}`], (node) => writeFileSync(fileOf(node), "")],
  [
    "file-damaged",
    [`error file-damaged ${CHUNK}`],
    (node) => writeFileSync(fileOf(node), CONTENT.with(17, 4)),
  ],
  [
    "chunk-missing",
    [`error chunk-missing ${CHUNK}`, `info file-without-row ${CHUNK}`],
    (node) => deleteRow(node, CHUNK),
  ],
  ["row-broken", [`error row-broken ${BLOB}`], (node) => putRow(node, BLOB, { ...root, size: 2999n })],
  [
    "row-broken",
    [`error row-broken ${BLOB}`],
    (node) => putRow(node, BLOB, { ...root, hash: fromHex(OTHER) }),
  ],
  ["count-low", [`warning count-low ${CHUNK}`], (node) => putRow(node, CHUNK, { ...chunk, refs: 0 })],
  ["count-high", [`info count-high ${CHUNK}`], (node) => putRow(node, CHUNK, { ...chunk, refs: 4 })],
  ["chunk-unused", [`info chunk-unused ${CHUNK}`], (node) => deleteRow(node, BLOB)],
  // A count is too high only where a blob has the chunk.
  [
    "chunk-unused",
    [`info chunk-unused ${CHUNK}`],
    async (node) => {
      await putRow(node, CHUNK, { ...chunk, refs: 4 });
      await deleteRow(node, BLOB);
    },
  ],
  [
    "file-without-row",
    [`info file-without-row ${OTHER}`],
    (node) => writeFileSync(fileOf(node, OTHER), "left"),
  ],
  [
    "file-unfinished",
    [`info file-unfinished ${toBase58(fromHex(OTHER))}.tmp-17-0`],
    (node) => writeFileSync(`${fileOf(node, OTHER)}.tmp-17-0`, "left"),
  ],
  [
    "file-foreign",
    ["info file-foreign notes.txt"],
    (node) => writeFileSync(join(node.blobs, "notes.txt"), ""),
  ],
  [
    "blob-missing",
    [`warning blob-missing ${OTHER}`],
    async ({ store }) => {
      for await (const { key, value } of store.table(ApplicationMeta as never).scan()) {
        await store.put(key, { ...(value as unknown as object), compiled: fromHex(OTHER) } as never);
        return;
      }
    },
  ],
];

it("finds each state, and nothing else than before", async () => {
  const found = new Set<string>();
  for (const [state, expected, make] of made) {
    await using node = await copyOfNode();
    await putBlob(node.store, node.folder, inPieces(CONTENT));
    const before = await states(node);
    expect(before, "a blob that nothing names").toContain(`info blob-unnamed ${BLOB}`);
    await make(node);
    const after = await states(node);
    const unnamed = `info blob-unnamed ${BLOB}`;
    expect(after.filter((one) => !before.includes(one)).sort(), state).toEqual([...expected].sort());
    expect(
      before.filter((one) => !after.includes(one) && one !== unnamed),
      state,
    ).toEqual([]);
    found.add(state);
  }
  expect(found.size + 1).toBe(13);
});

it("a finding about a chunk names the blob that has it", async () => {
  await using node = await copyOfNode();
  await putBlob(node.store, node.folder, inPieces(CONTENT));
  rmSync(fileOf(node));
  const messages: string[] = [];
  for await (const { state, message } of checkBlobs(node.store, node.folder))
    if (state === "file-missing") messages.push(message);
  expect(messages).toEqual([`the chunk of blob ${BLOB} has no file: its content is lost`]);
});

it("the counts of a real node are right, and others are repaired to them", async () => {
  await using node = await copyOfNode();
  expect(await repairBlobCounts(node.store)).toEqual([]);
  const { rows } = await readBlobTable(node.store);
  const wrong = [...rows].slice(0, 4);
  for (const [id, { size, hash, links }] of wrong)
    await putRow(node, id, { size, hash: fromHex(hash), links: links.map(fromHex), refs: 0 });
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
  writeFileSync(`${fileOf(node, OTHER)}.tmp-17-0`, "left");
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
  const read = async (id: string) => {
    for await (const _ of readBlob(node.store, node.folder, fromHex(id)));
  };
  const ids = Array.from({ length: 70 }, (_, at) => toHex(new Uint8Array(32).fill(100 + at)));
  for (const [at, id] of ids.entries())
    await putRow(node, id, { ...chunk, size: 1n << 60n, links: [fromHex(ids[at + 1] ?? BLOB)] });
  await rejection(read(ids[0] as string), "BLOB_BROKEN", /levels/);
  // The same parts without content, 60 levels of them: first directly below the blob, then 10 levels further down.
  for (const [at, id] of ids.entries())
    await putRow(node, id, { ...chunk, size: 0n, links: at === 69 ? [] : [fromHex(ids[at + 1] as string)] });
  await putRow(node, OTHER, {
    ...chunk,
    size: 0n,
    links: [fromHex(ids[10] as string), fromHex(ids[0] as string)],
  });
  await rejection(read(OTHER), "BLOB_BROKEN", /levels/);
  await putRow(node, OTHER, { ...chunk, links: [fromHex(OTHER)] });
  await rejection(read(OTHER), "BLOB_BROKEN", /contains itself/);
  // Each of 40 levels links the next one twice: 2⁴⁰ ways down.
  for (const [at, id] of ids.slice(0, 40).entries()) {
    const below = at === 39 ? CHUNK : (ids[at + 1] as string);
    await putRow(node, id, { ...chunk, links: [fromHex(below), fromHex(below)] });
  }
  await putRow(node, CHUNK, { size: 1n, hash: fromHex(CHUNK) });
  const start = ids[0] as string;
  await putRow(node, start, {
    ...chunk,
    size: 100n,
    links: [fromHex(ids[1] as string), fromHex(ids[1] as string)],
  });
  const walk = async () => {
    for await (const _ of blobChunks(node.store, fromHex(start)));
  };
  await rejection(walk(), "BLOB_BROKEN", /more bytes/);
  await expect(read("01".repeat(32))).rejects.toMatchObject({ code: "BLOB_NOT_FOUND" });
});
