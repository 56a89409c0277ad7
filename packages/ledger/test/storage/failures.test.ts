/** A page after its database has failed to write. */

import { toHex } from "merostore/internal";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { mixedBytes, text } from "../inputs.js";
import { TestPage } from "./pages.js";

const broken = new Error("the disk is full");
const long = "l".repeat(100);
let page: TestPage;
beforeEach(async () => {
  page = await TestPage.open({ prune: true, collection: "eager-root-nodes" });
  await page.edit((journal) => journal.put("key", "value"));
});

/** Makes the write after `passing` others fail. */
function failAfter(passing: number) {
  const write = page.engine.write.bind(page.engine);
  const spy = vi.spyOn(page.engine, "write");
  for (let count = 0; count < passing; count++) spy.mockImplementationOnce(write);
  return spy.mockRejectedValueOnce(broken);
}

describe("a commit that is not written", () => {
  it("is rejected, does not become a head, and nobody hears of it", async () => {
    const before = { rows: await page.rows(), heads: page.storage.heads.all };
    const told: string[] = [];
    page.storage.heads.onCommits((commits) => told.push(...commits.map(({ id }) => toHex(id))));
    failAfter(0);
    await expect(page.edit((journal) => journal.put("key", long))).rejects.toBe(broken);
    expect(told).toEqual([]);
    expect(page.storage.heads.all).toEqual(before.heads);
    expect(await page.rows()).toEqual(before.rows);
  });

  it("can be made again", async () => {
    failAfter(0);
    await expect(page.edit((journal) => journal.put("key", long))).rejects.toBe(broken);
    const commit = await page.edit((journal) => journal.put("key", long));
    await page.storage.collectGarbage();
    expect(await page.contents(await page.head())).toEqual({ key: long });
    // Reads the rows alone, without the memory of the first attempt.
    const again = await TestPage.open({}, page.engine);
    expect(await again.contents(await again.head())).toEqual({ key: long });
    expect(await again.pieceNames()).toEqual(await again.reachable([commit]));
  });

  it("is one write: all of it is there, or nothing", async () => {
    const write = vi.spyOn(page.engine, "write");
    await page.storage.collectGarbage();
    write.mockClear();
    const plain = await TestPage.open({}, page.engine);
    await plain.edit((journal) => {
      for (let at = 0; at < 600; at++) journal.put(`key${at}`, `${long} ${at}`);
    });
    expect(write.mock.calls).toHaveLength(1);
    expect(write.mock.calls[0]?.[1]).toEqual({ sync: true, owned: true });
  });
});

describe("tidying up that fails", () => {
  it("does not undo the commit before it, and is made up for after the next one", async () => {
    const write = failAfter(1);
    const commit = await page.edit((journal) => journal.put("key", long));
    await vi.waitFor(() => expect(write).toHaveBeenCalledTimes(2), { timeout: 500_000 });
    expect((await page.head()).id).toEqual(commit.id);
    expect(await page.commits()).toHaveLength(2);

    const next = await page.edit((journal) => journal.put("other", "value"));
    await page.storage.collectGarbage();
    expect(await page.commits()).toEqual([next]);
    expect(await page.contents(next)).toEqual({ key: long, other: "value" });
  });

  it("reports the error to its caller", async () => {
    const first = await page.head();
    const release = page.storage.commitHolds.hold(first.id);
    await page.edit((journal) => journal.put("key", long));
    await page.storage.collectGarbage();
    release();
    failAfter(0); // the write after the release
    failAfter(0);
    await expect(page.storage.collectGarbage()).rejects.toBe(broken);
  });
});

describe("a value that is not written", () => {
  it("is rejected, and holds nothing", async () => {
    failAfter(0);
    await expect(page.storage.values.store([mixedBytes(100_000)])).rejects.toBe(broken);
    expect([...page.storage.objectHolds]).toEqual([]);
    const { root } = await page.storage.values.store([text(long)]);
    expect(await page.storage.objects.whole(root)).toEqual(text(long));
  });
});
