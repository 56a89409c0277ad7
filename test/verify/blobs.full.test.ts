/** Blobs and applications: each of these changes leads to findings of its own rule alone. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fromBase58 } from "../../src/bytes/base58.js";
import { toHex } from "../../src/bytes/hex.js";
import { sha256 } from "../../src/crypto/index.js";
import { ApplicationMeta, BlobMeta } from "../../src/keys/index.js";
import { core011 } from "../../src/schemas/index.js";
import type { BlobFiles } from "../../src/verify/index.js";
import { fixturePath } from "../support/fixtures.js";
import {
  type Expected,
  expectNews,
  flipped,
  inMemory,
  itCounts,
  itFinds,
  itFindsIn,
  nobody,
  rowsOf,
} from "./altered.js";

const FIXTURE = "core-0.11/log";
const written = () => inMemory(FIXTURE, core011);
type Written = Awaited<ReturnType<typeof written>>;

/** The files of the fixture's chunks, some of them changed. */
class Files implements BlobFiles {
  readonly #contents = new Map<string, Uint8Array>(
    readdirSync(fixturePath(FIXTURE, "blobs")).map((name) => [
      toHex(fromBase58(name)),
      readFileSync(fixturePath(FIXTURE, "blobs", name)),
    ]),
  );

  async read(chunkId: Uint8Array): Promise<Uint8Array | undefined> {
    return this.#contents.get(toHex(chunkId));
  }

  set(chunkId: Uint8Array, content: Uint8Array | undefined): void {
    if (content === undefined) this.#contents.delete(toHex(chunkId));
    else this.#contents.set(toHex(chunkId), content);
  }
}

const isChunk = ({
  value,
}: {
  readonly value: { readonly size: bigint; readonly links: readonly unknown[] };
}) => value.links.length === 0 && value.size > 0n;
const isBlob = ({ value }: { readonly value: { readonly links: readonly unknown[] } }) =>
  value.links.length > 0;

describe("rows of blobs", () => {
  itFindsIn(["error", "chunk-id"], written, BlobMeta, () => ({ hash: nobody }), isChunk);

  itFinds("blob-id", written, async (store) => {
    const [{ value }] = await rowsOf(store, BlobMeta, isBlob);
    const key = new BlobMeta({ blobId: nobody });
    await store.put(key, value);
    return [["error", "blob-id", key]];
  });

  itFinds("empty-blob", written, async (store) => {
    const [{ key, value }] = await rowsOf(store, BlobMeta, ({ value }) => value.size === 0n);
    expect(key.blobId).toEqual(sha256());
    await store.put(key, { ...value, hash: nobody });
    return [["error", "empty-blob", key]];
  });

  itCounts("blob-chunks that are missing", written, async (store, count, severity) => {
    const blobs = await rowsOf(store, BlobMeta, isBlob);
    // Equal chunks share a row, so only rows that a single blob uses are removed.
    const users = ({ value }: (typeof blobs)[number]) =>
      blobs.filter((other) => other.value.links.map(toHex).includes(toHex(value.links[0] ?? nobody)));
    const removed = blobs.filter((blob) => users(blob).length === 1).slice(0, count);
    expect(removed).toHaveLength(count);
    for (const { value } of removed) await store.delete(new BlobMeta({ blobId: value.links[0] ?? nobody }));
    return removed.map(({ key }) => [severity, "blob-chunks", key]);
  });

  itFinds("blob-chunks: a chunk that several blobs miss is one break", written, async (store) => {
    const [chunk] = await rowsOf(store, BlobMeta, isChunk);
    const link = chunk.key.blobId;
    for (const blobId of [nobody, nobody.with(0, 1)])
      await store.put(new BlobMeta({ blobId }), { ...chunk.value, links: [link] });
    const users = await rowsOf(store, BlobMeta, ({ value }) => value.links.map(toHex).includes(toHex(link)));
    await store.delete(chunk.key);
    return [
      ...users.flatMap(({ key, value }) =>
        value.links
          .filter((one) => toHex(one) === toHex(link))
          .map(() => ["warning", "blob-chunks", key] as const),
      ),
      ...[nobody, nobody.with(0, 1)].map((blobId) => ["error", "blob-id", new BlobMeta({ blobId })] as const),
    ];
  });

  const larger = ({ size }: { readonly size: bigint }) => ({ size: size + 1n });
  itFindsIn(["error", "blob-chunks", "of another size"], written, BlobMeta, larger, isBlob);
  itFindsIn(["info", "blob-refs"], written, BlobMeta, () => ({ refs: 0 }));
});

/** The rows of the blobs that link a chunk, as findings. */
async function usersOf(store: Written, { blobId }: BlobMeta, rule: string): Promise<readonly Expected[]> {
  const users = await rowsOf(store, BlobMeta, ({ value }) => value.links.map(toHex).includes(toHex(blobId)));
  return users.map(({ key }) => ["error", rule, key]);
}

const expectFiles = async (change: (store: Written, blobs: Files) => Promise<readonly Expected[]>) => {
  const blobs = new Files();
  await expectNews(await written(), (store) => change(store, blobs), { blobs });
};

describe("files of blobs", () => {
  it("chunk-file and blob-content: another content", () =>
    expectFiles(async (store, blobs) => {
      const [{ key }] = await rowsOf(store, BlobMeta, isChunk);
      blobs.set(key.blobId, flipped((await blobs.read(key.blobId)) ?? nobody));
      return [["error", "chunk-file", key], ...(await usersOf(store, key, "blob-content"))];
    }));

  it.each([
    [1, "warning"],
    [2, "error"],
  ] as const)("chunk-file: %i missing, a finding of the severity %s each", (count, severity) =>
    expectFiles(async (store, blobs) => {
      const missing = (await rowsOf(store, BlobMeta, isChunk)).slice(0, count);
      for (const { key } of missing) blobs.set(key.blobId, undefined);
      return missing.map(({ key }) => [severity, "chunk-file", key]);
    }),
  );

  it("chunk-file: a file of another size, and one of an empty blob", () =>
    expectFiles(async (store, blobs) => {
      const [{ key, value }] = await rowsOf(store, BlobMeta, isChunk);
      const [empty] = await rowsOf(store, BlobMeta, ({ value }) => value.size === 0n);
      await store.put(key, { ...value, size: value.size - 1n });
      blobs.set(empty.key.blobId, nobody);
      return [
        ["error", "chunk-file", key],
        ["warning", "chunk-file", empty.key],
        ...(await usersOf(store, key, "blob-chunks")),
      ];
    }));

  const options = { blobs: new Files() };
  itFindsIn(
    ["error", "blob-content", "another hash"],
    written,
    BlobMeta,
    () => ({ hash: nobody }),
    isBlob,
    options,
  );
});

describe("applications", () => {
  itFindsIn(
    ["warning", "application-blobs"],
    written,
    ApplicationMeta,
    () => ({ compiled: nobody }),
    ({ value }) => value.size > 0n,
  );
  itFindsIn(
    ["error", "bundle-id"],
    written,
    ApplicationMeta,
    (value) => ({ package: `${value.package}.other` }),
    ({ value }) => value.signerId !== "",
  );
  itFindsIn(
    ["info", "module-id"],
    written,
    ApplicationMeta,
    () => ({ source: "https://elsewhere.example/" }),
    ({ value }) => value.signerId === "" && value.size > 0n,
  );
});
