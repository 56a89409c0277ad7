/** The memory of rules about many rows, and the reading of these rows. */
import { describe, expect, it } from "vitest";
import { compareBytes } from "../../src/bytes/order.js";
import { slices } from "../../src/collections/lists.js";
import { sha256 } from "../../src/crypto/index.js";
import { runsById, runsOfBatch } from "../../src/verify/batches.js";
import { Feed } from "../../src/verify/feed.js";
import { Records } from "../../src/verify/records.js";

const hashes = Array.from({ length: 20_000 }, (_, at) => sha256(Uint8Array.of(at, at >> 8)));

describe("records", () => {
  it("come out in the order of their bytes", () => {
    const records = new Records(36);
    for (const hash of hashes) records.add(hash.subarray(0, 4), hash);
    const sorted = hashes
      .map((hash) => Uint8Array.from([...hash.subarray(0, 4), ...hash]))
      .sort(compareBytes);
    expect([...records.sorted()].map((record) => record.slice())).toEqual(sorted);
    expect([...new Records(8).sorted()]).toEqual([]);
  });
});

/** Rows are pairs of an id and a number. */
type Row = readonly [id: number, at: number];

async function* batches(...lists: readonly (readonly Row[])[]): AsyncGenerator<readonly Row[]> {
  yield* lists;
}

const idOf = ([id]: Row): Uint8Array => Uint8Array.of(id);

describe("rows that belong together", () => {
  it("come with where they begin and end, over batches", async () => {
    const pieces: string[] = [];
    const rows = batches([[1, 1], [1, 2], [2, 3]], [[2, 4]], [[2, 5], [3, 6]], [[4, 7]]); // biome-ignore format: by batch
    for await (const { id, rows: list, begins, ends } of runsById(rows, idOf))
      pieces.push(`${begins ? "[" : "…"}${id[0]}: ${list.map(([, at]) => at)}${ends ? "]" : "…"}`);
    expect(pieces).toEqual(["[1: 1,2]", "[2: 3…", "…2: 4…", "…2: 5]", "[3: 6]", "[4: 7]"]);
  });

  it("come as many at once as a batch has, the last one when it is known where it ends", async () => {
    const counts: number[] = [];
    for await (const pieces of runsOfBatch(batches([[1, 1], [2, 2], [3, 3]], [[3, 4]], [[5, 5]]), idOf)) // biome-ignore format: by batch
      counts.push(pieces.length);
    expect(counts).toEqual([2, 1, 1, 1]);
    for await (const _ of runsById(batches(), idOf)) throw new Error("there are no rows");
  });

  it("are cut into slices", () => {
    expect([...slices([1, 2, 3, 4, 5], 2)]).toEqual([[1, 2], [3, 4], [5]]);
    expect([...slices([], 2)]).toEqual([]);
  });
});

describe("a feed", () => {
  it("waits for its reader: a batch is dealt with when `give` settles", async () => {
    const feed = new Feed<number>();
    const seen: string[] = [];
    const reader = (async () => {
      for await (const batch of feed) {
        seen.push(`${batch} begun`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        seen.push(`${batch} done`);
      }
      seen.push("end");
    })();
    for (const batch of [1, 2]) {
      await feed.give(batch);
      seen.push(`${batch} given`);
    }
    await feed.end();
    await reader;
    expect(seen).toEqual(["1 begun", "1 done", "1 given", "2 begun", "2 done", "2 given", "end"]);
  });

  it("drops what comes after its reader has left", async () => {
    const feed = new Feed<number>();
    const reader = (async () => {
      for await (const batch of feed) return batch;
      return undefined;
    })();
    await feed.give(1);
    await feed.give(2);
    await feed.end();
    expect(await reader).toBe(1);
    expect(await feed.next()).toEqual({ done: true, value: undefined });
  });

  it("makes its reader fail where the rows end too early", async () => {
    const feed = new Feed<number>();
    const reader = (async () => {
      for await (const _ of feed);
    })();
    await feed.give(1);
    const reason = new Error("damaged");
    feed.abort(reason);
    await expect(reader).rejects.toBe(reason);
    await expect(feed.next()).rejects.toBe(reason);
  });
});
