/** Pieces and their statuses. */

import type { EngineReader } from "merostore/engine";
import { toHex } from "merostore/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { digestOf } from "../../src/objects.js";
import type { NewPiece } from "../../src/pieces/edges.js";
import { objectRow, type PieceStatus } from "../../src/rows/page-rows.js";
import { COLUMN } from "../../src/rows/row.js";
import { PieceStore } from "../../src/storage/piece-store.js";
import { digest, KEY_INDEX, named, text } from "../inputs.js";
import { TestPage } from "./pages.js";

const content = text("a value that is too long for a digest");
const piece: NewPiece = {
  identifier: { keyIndex: KEY_INDEX, digest: digestOf(content) },
  content,
  edges: [{ digest: digest(7), name: toHex(digest(7)), priority: "eager" }],
};
const { identifier } = piece;

let page: TestPage;
beforeEach(async () => {
  page = await TestPage.open();
});

async function store(pieces: readonly NewPiece[], status: PieceStatus): Promise<void> {
  await page.engine.write(await page.storage.pieces.store(pieces, status));
}

async function statusRowsOfPiece(): Promise<PieceStatus[]> {
  const statuses: PieceStatus[] = ["transient", "local", "synced"];
  const there: PieceStatus[] = [];
  for (const status of statuses) if ((await page.withStatus(status)).length > 0) there.push(status);
  return there;
}

describe("the status of a piece", () => {
  const order: readonly PieceStatus[] = ["transient", "local", "synced"];
  const pairs = order.flatMap((from) => order.map((to) => [from, to] as const));

  it.each(pairs)("that is %s and should be %s never falls back", async (from, to) => {
    const highest = order[Math.max(order.indexOf(from), order.indexOf(to))];
    await store([piece], from);
    await page.engine.write(await page.storage.pieces.raise([identifier], to));
    expect(await page.storage.pieces.statuses([identifier])).toEqual([highest]);
    // There is never more than one row of it.
    expect(await statusRowsOfPiece()).toEqual([highest]);
  });

  it("is none before the piece is there", async () => {
    expect(await page.storage.pieces.statuses([identifier])).toEqual([undefined]);
    expect(await page.storage.pieces.read(identifier.digest)).toBeUndefined();
    expect(await page.storage.pieces.hasStatus(identifier.digest, "transient")).toBe(false);
    expect(await page.storage.pieces.raise([identifier], "synced")).toEqual([]);
  });

  it("is of the identifier, the content of the digest", async () => {
    const other = { ...piece, identifier: { keyIndex: 2, digest: identifier.digest } };
    await store([piece], "synced");
    await store([other], "transient");
    expect(await page.storage.pieces.statuses([identifier, other.identifier])).toEqual([
      "synced",
      "transient",
    ]);
    expect(await page.pieceNames()).toEqual([named(identifier)]);
    for (const status of ["transient", "synced"] as const)
      expect(await page.storage.pieces.hasStatus(identifier.digest, status)).toBe(true);
    expect(await page.storage.pieces.hasStatus(identifier.digest, "local")).toBe(false);
  });
});

describe("a stored piece", () => {
  it("keeps its first content and edges; only its status rises", async () => {
    await store([piece], "transient");
    const edges = await page.storedEdges();
    const again = { identifier, content: text("something else"), edges: [] };
    await store([again], "local");
    expect(await page.storage.pieces.read(identifier.digest)).toEqual(content);
    expect(await page.storedEdges()).toEqual(edges);
    expect(await page.withStatus("local")).toEqual([named(identifier)]);
  });

  it("shows each status that it gets after all statuses were read", async () => {
    const { pieces } = page.storage;
    const other = { ...piece, identifier: { ...identifier, keyIndex: 2 } };
    const statuses = () => pieces.statuses([identifier, other.identifier]);
    pieces.keyIndexes.complete();
    expect(await statuses()).toEqual([undefined, undefined]);
    await store([piece], "transient");
    expect(await statuses()).toEqual(["transient", undefined]);
    await store([piece, other], "local");
    expect(await statuses()).toEqual(["local", "local"]);
    await store([other], "synced");
    expect(await statuses()).toEqual(["local", "synced"]);
  });

  it("goes with all its rows", async () => {
    const before = await page.rows();
    await store([piece, { ...piece, identifier: { ...identifier, keyIndex: 0xffffffff } }], "local");
    await page.engine.write(await page.storage.pieces.remove(identifier.digest, piece.edges));
    expect(await page.rows()).toEqual(before);
  });

  it.each([2, 300])("goes with all its rows under each of %d numbers of encryption keys", async (count) => {
    const before = await page.rows();
    const { pieces } = page.storage;
    for (let keyIndex = 1; keyIndex <= count; keyIndex++)
      await store([{ ...piece, identifier: { ...identifier, keyIndex } }], "local");
    pieces.keyIndexes.complete();
    // More key indexes than any page has are not kept in memory: then all rows of a piece are searched.
    expect(pieces.keyIndexes.all).toEqual(count === 2 ? [1, 2] : undefined);
    await page.engine.write(await pieces.remove(identifier.digest, piece.edges));
    expect(await page.rows()).toEqual(before);
  });

  it("is refused if its content does not match its digest", async () => {
    await page.engine.write([objectRow.put({ digest: identifier.digest }, text("something else"))]);
    const refusal = expect.objectContaining({ code: "DATA_INTEGRITY_ERROR" });
    await expect(page.storage.pieces.read(identifier.digest)).rejects.toEqual(refusal);
    await expect(page.storage.pieces.readMany([identifier.digest])).rejects.toEqual(refusal);
  });
});

describe("several pieces", () => {
  it("are read in one round, inline and missing ones too", async () => {
    await store([piece], "local");
    const inline = digestOf(text("inline"));
    expect(await page.storage.pieces.readMany([digest(9), identifier.digest, inline])).toEqual([
      undefined,
      content,
      text("inline"),
    ]);
    expect(await page.storage.pieces.readMany([])).toEqual([]);
  });

  it("of a status are found by their rows", async () => {
    await store([piece], "local");
    const found = [];
    for await (const one of page.storage.pieces.withStatus("local")) found.push(one);
    expect(found).toEqual([identifier]);
    expect(page.engine.columns).toEqual([COLUMN]);
  });
});

it("reading more than the cache has room for, again and again, finds much of it there", async () => {
  const contents = Array.from({ length: 300 }, (_, at) => new Uint8Array(60_000).fill(at));
  const digests = contents.map((bytes) => digestOf(bytes));
  const rows = new Map(digests.map((name, at) => [toHex(name), contents[at] as Uint8Array]));
  let read = 0;
  const getMany = async (_column: string, keys: readonly Uint8Array[]) => {
    read += keys.length;
    return keys.map((key) => rows.get(toHex(key.subarray("objects/".length))));
  };
  const store = new PieceStore({ getMany } as unknown as EngineReader);
  for (let round = 0; round < 4; round++)
    for (let at = 0; at < digests.length; at += 50) await store.readMany(digests.slice(at, at + 50));
  expect(read).toBeLessThan(300 + 3 * 100);
});
