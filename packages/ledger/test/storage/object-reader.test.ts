import { toHex } from "merostore/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { digestOf, type ObjectIdentifier } from "../../src/objects.js";
import { objectRow } from "../../src/rows/page-rows.js";
import type { ObjectReader } from "../../src/storage/object-reader.js";
import { encodeFileIndex } from "../../src/tables/file-index.js";
import { digest, KEY_INDEX, mixedBytes, text } from "../inputs.js";
import { TestPage } from "./pages.js";

const content = mixedBytes(65536);
let page: TestPage;
let objects: ObjectReader;
let root: ObjectIdentifier;
beforeEach(async () => {
  page = await TestPage.open();
  objects = page.storage.objects;
  root = (await page.storage.values.store([content])).root;
});

async function part(identifier: ObjectIdentifier, from: number, to: number): Promise<Uint8Array> {
  const chunks = [];
  for await (const chunk of objects.chunks(identifier, { from, to })) {
    expect(chunk.length).toBeGreaterThan(0);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Stores an index of these children, whatever they are. */
async function storeIndex(children: Parameters<typeof encodeFileIndex>[0]): Promise<ObjectIdentifier> {
  const bytes = encodeFileIndex(children);
  const made = { keyIndex: KEY_INDEX, digest: digestOf(bytes, "blob", "index") };
  await page.engine.write([objectRow.put({ digest: made.digest }, bytes)]);
  return made;
}

const refusal = (code: string) => expect.objectContaining({ code });

describe("a part of a value", () => {
  it("reads only the chunks that contain it", async () => {
    const pieces = [];
    for await (const piece of objects.pieces(root)) pieces.push(piece);
    const last = pieces.at(-1) as ObjectIdentifier;
    await page.engine.write([objectRow.delete({ digest: last.digest })]);
    expect(await part(root, 0, 8478)).toHaveLength(8478);
    await expect(part(root, 0, 65536)).rejects.toEqual(refusal("NEEDS_FETCH"));
  });
});

describe("a whole value", () => {
  it("equals the stored content, and its size is known", async () => {
    expect(Buffer.compare(await objects.whole(root), content)).toBe(0);
    expect(await objects.size(root)).toBe(65536);
    const short = { keyIndex: KEY_INDEX, digest: digestOf(text("short")) };
    expect(await objects.size(short)).toBe(5);
    expect(await objects.whole(short)).toEqual(text("short"));
  });

  it("is undefined among several, if it or a part of it is not here", async () => {
    const missing = { keyIndex: KEY_INDEX, digest: digest(3) };
    const torn = await storeIndex([{ identifier: missing, size: 5n }]);
    const found = await objects.wholes([root, missing, torn]);
    expect(found.map((bytes) => bytes && toHex(digestOf(bytes)))).toEqual([
      toHex(digestOf(content)),
      undefined,
      undefined,
    ]);
  });

  it("that is not here is fetched, if there is a way", async () => {
    const missing = { keyIndex: KEY_INDEX, digest: digest(3) };
    await expect(objects.whole(missing)).rejects.toEqual(refusal("NEEDS_FETCH"));
    expect(await objects.whole(missing, async () => text("fetched"))).toEqual(text("fetched"));
    const torn = await storeIndex([{ identifier: missing, size: 7n }]);
    expect(await objects.whole(torn, async () => text("fetched"))).toEqual(text("fetched"));
  });
});

describe("damage", () => {
  const piece = { keyIndex: KEY_INDEX, digest: digestOf(text("12345")) };

  it("is a chunk whose size differs from its index", async () => {
    for (const size of [4n, 6n]) {
      const index = await storeIndex([{ identifier: piece, size }]);
      await expect(objects.whole(index)).rejects.toEqual(refusal("DATA_INTEGRITY_ERROR"));
    }
  });

  it("is an index whose size differs from the index above it", async () => {
    const inner = await storeIndex([
      { identifier: piece, size: 5n },
      { identifier: piece, size: 5n },
    ]);
    const outer = await storeIndex([{ identifier: inner, size: 11n }]);
    await expect(objects.whole(outer)).rejects.toThrow("has 10 bytes of content, its index says 11");
    expect(await objects.whole(await storeIndex([{ identifier: inner, size: 10n }]))).toEqual(
      text("1234512345"),
    );
  });

  it("is an index that is none", async () => {
    const bytes = new Uint8Array(200).fill(1);
    const made = { keyIndex: KEY_INDEX, digest: digestOf(bytes, "blob", "index") };
    await page.engine.write([objectRow.put({ digest: made.digest }, bytes)]);
    await expect(objects.whole(made)).rejects.toEqual(refusal("DATA_INTEGRITY_ERROR"));
    await expect(objects.size(made)).rejects.toEqual(refusal("DATA_INTEGRITY_ERROR"));
  });

  it("is a node that is missing, none, or called a value", async () => {
    await expect(objects.node({ keyIndex: KEY_INDEX, digest: digest(3, 4) })).rejects.toThrow("is missing");
    const bytes = new Uint8Array(200).fill(1);
    const made = { keyIndex: KEY_INDEX, digest: digestOf(bytes, "tree-node") };
    await page.engine.write([objectRow.put({ digest: made.digest }, bytes)]);
    await expect(objects.node(made)).rejects.toThrow("is damaged");
    await expect(objects.node(root)).rejects.toThrow("should be a tree node");
    for (const bad of [made, root, { keyIndex: KEY_INDEX, digest: digest(3, 4) }])
      await expect(objects.node(bad)).rejects.toEqual(refusal("DATA_INTEGRITY_ERROR"));
  });
});
