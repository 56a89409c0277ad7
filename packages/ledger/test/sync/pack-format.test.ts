/** The bytes of packs: falsified ones are refused, and cost little memory. */
import { brotliCompressSync, constants } from "node:zlib";
import { concat, equalBytes } from "merostore/internal";
import { describe, expect, it } from "vitest";
import { sha256WithLength } from "../../src/objects.js";
import { Compaction } from "../../src/sync/folder/compaction.js";
import type { FolderPage } from "../../src/sync/folder/known-packs.js";
import {
  HEADER_SIZE,
  openBlock,
  openIndex,
  type PackBlock,
  type PackContent,
  packBytes,
  readHeader,
} from "../../src/sync/folder/pack-format.js";
import { FolderKeys, type PackRights } from "../../src/sync/folder/sealed-files.js";

const NAME = "5a".repeat(20);
const OTHER = "6b".repeat(20);
const COMMIT = new Uint8Array(100).fill(3);
const PIECES = [40, 3000, 70_000].map((length) => {
  const content = new Uint8Array(length).fill(length % 251);
  return { hash: sha256WithLength(content), content };
});

/** A device that may write, and whose signatures are the ids. */
const DEVICE: PackRights = {
  secrets: [new Uint8Array(32).fill(7), new Uint8Array(32).fill(8)],
  writer: new Uint8Array(32).fill(6),
  sign: (id) => concat(id, id),
  accepts: (writer, id, signature) => writer[0] === 6 && equalBytes(signature, concat(id, id)),
};

describe.each([
  ["without a key", undefined],
  ["with a key", new Uint8Array(32).fill(9)],
  ["of a device", DEVICE],
])("a pack %s", (_, key) => {
  const sealed = new FolderKeys(key).page("test", new Uint8Array(16));

  /** Opens all of a pack. Undefined if any part of it is refused. */
  async function opened(bytes: Uint8Array, name = NAME) {
    const header = readHeader(sealed, bytes, bytes.length);
    if (header.state !== "whole") return undefined;
    const start = bytes.subarray(0, HEADER_SIZE + header.indexSize);
    const index = await openIndex(sealed, name, start, bytes.length);
    if (typeof index === "string") return undefined;
    const records: Uint8Array[] = [];
    for (const [number, block] of index.blocks.entries()) {
      const sealedBlock = bytes.subarray(block.at, block.at + block.size);
      const found = await openBlock(sealed, name, number, block, sealedBlock, index.epoch);
      if (found === undefined) return undefined;
      records.push(...found);
    }
    return { index, records };
  }

  const pack = () => packBytes(sealed, NAME, { replaces: [OTHER], commits: [COMMIT], pieces: PIECES });

  it("has its commits, its pieces by their hashes, and the packs that it replaces", async () => {
    const found = await opened(await pack());
    expect(found?.index.replaces).toEqual([OTHER]);
    expect(found?.records.map(({ length }) => length).sort((a, b) => a - b)).toEqual([40, 100, 3000, 70_000]);
    for (const { hash } of PIECES) expect(found?.index.table.find(hash)).toHaveLength(1);
    expect(found?.index.table.find(sha256WithLength(COMMIT))).toEqual([]);
  });

  it("has a piece without content, also alone in its block", async () => {
    const content = new Uint8Array(0);
    const pieces = [{ hash: sha256WithLength(content), content }];
    const found = await opened(await packBytes(sealed, NAME, { replaces: [], commits: [], pieces }));
    expect(found?.records).toEqual([Buffer.alloc(0)]);
  });

  it("is refused with any byte changed, cut or added, and under another name", async () => {
    const whole = await pack();
    for (let at = 0; at < whole.length; at++) {
      const bytes = Uint8Array.from(whole);
      bytes.set([(whole[at] as number) ^ 1], at);
      expect(await opened(bytes)).toBeUndefined();
      expect(await opened(whole.subarray(0, at))).toBeUndefined();
    }
    expect(await opened(Uint8Array.from([...whole, 0]))).toBeUndefined();
    expect(await opened(whole, OTHER)).toBeUndefined();
  });

  it("takes blocks of its writer only, if a device has signed it", async () => {
    if (sealed.rights === undefined) return;
    const pieces = [{ hash: sha256WithLength(COMMIT), content: COMMIT }];
    const [own, other] = [
      await packBytes(sealed, NAME, { replaces: [], commits: [COMMIT], pieces }),
      await packBytes(sealed, NAME, { replaces: [], commits: [COMMIT], pieces }),
    ];
    expect((await opened(own))?.records).toEqual([Buffer.from(COMMIT), Buffer.from(COMMIT)]);
    const header = readHeader(sealed, own, own.length);
    const end = HEADER_SIZE + (header.state === "whole" ? header.indexSize : 0);
    expect(await opened(concat(own.subarray(0, end), other.subarray(end)))).toBeUndefined();
  });

  it("is refused if a block has more bytes than its index says", async () => {
    const bomb = brotliCompressSync(new Uint8Array(64 << 20), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
    });
    const body = await sealed.sealPart(`packs/${NAME}/0`, bomb);
    const block: PackBlock = { kind: "pieces", at: 0, size: body.length, raw: 9, lengths: Uint32Array.of(9) };
    expect(await openBlock(sealed, NAME, 0, block, body, 1)).toBeUndefined();
  });

  it.each([
    ["nothing is wrong: it is opened", { raw: 9, records: 1, isRight: true }],
    ["a block is too large", { raw: 0xffff_ffff, records: 1 }],
    ["a block has more records than bytes follow", { raw: 9, records: 0xffff_ffff }],
    ["the records do not fill their block", { raw: 10, records: 1 }],
    ["a block has no records", { raw: 0, records: 0 }],
    ["a kind is unknown", { raw: 9, records: 1, kind: 2 }],
    ["blocks are missing", { raw: 9, records: 1, blocks: 0xffff }],
    ["names are missing", { raw: 9, records: 1, replaces: 0xffff }],
  ])(
    "has an index that is checked: %s",
    async (_case, { isRight = false, raw, records, kind = 0, blocks = 1, replaces = 0 }: Falsified) => {
      if (sealed.rights !== undefined) return; // Blocks have another size there, and the signature is checked first.
      const index = new DataView(new ArrayBuffer(20));
      index.setUint16(0, replaces, true);
      index.setUint16(2, blocks, true);
      index.setUint8(4, kind);
      index.setUint32(5, 50, true);
      index.setUint32(9, raw, true);
      index.setUint32(13, records, true);
      index.setUint8(17, 9);
      const body = await sealed.sealPart(`packs/${NAME}/index`, new Uint8Array(index.buffer));
      const start = concat(new Uint8Array(HEADER_SIZE), body);
      const opening = openIndex(sealed, NAME, start, start.length + 50);
      expect(await opening).toEqual(isRight ? expect.objectContaining({ replaces: [] }) : "damaged");
    },
  );
});

/** The fields of an index with one block. */
interface Falsified {
  readonly raw: number;
  readonly records: number;
  readonly kind?: number;
  readonly blocks?: number;
  readonly replaces?: number;
  readonly isRight?: boolean;
}

it("a pack replaces at most as many packs as its index can count", async () => {
  const names = Array.from({ length: 70_000 }, (_, at) => at.toString(16).padStart(40, "0"));
  const content = { id: COMMIT, bytes: COMMIT };
  const written: PackContent[] = [];
  const packs = {
    names: async () => names,
    opened: async (name: string) => ({ name, replaces: [], blocks: [{ raw: 1, lengths: [1] }] }),
    records: async () => ({ commits: [content], pieces: [] }),
    write: async (pack: PackContent) => {
      written.push(pack);
      return NAME;
    },
  };
  const known = { has: async () => true, add: async () => undefined };
  await new Compaction({ packs, known } as unknown as FolderPage).run(true);
  expect(written.map(({ replaces }) => replaces.length)).toEqual([65_535]);
});
