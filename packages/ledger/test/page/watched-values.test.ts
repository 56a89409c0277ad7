/** The values that watchers get: all up to a size, none, or streamed ones. */
import { describe, expect } from "vitest";
import { rejection } from "../../../../test/support/rejection.js";
import type { ChangedEntry, Page, PageChange, WatchOptions } from "../../src/index.js";
import { pageTest, text } from "../support.js";

/** The changed entries of one transaction, by key: the bytes of the value, the size, and the streamed bytes. */
async function seen(page: Page, options: WatchOptions) {
  const found: Record<
    string,
    readonly [value: number | undefined, size: number | undefined, streamed: number]
  > = {};
  const entries: ChangedEntry[] = [];
  const listener = async ({ changed }: PageChange): Promise<void> => {
    for (const entry of changed) {
      let streamed = 0;
      for await (const chunk of entry.stream()) streamed += chunk.length;
      found[text(entry.key)] = [entry.value?.length, entry.size, streamed];
      entries.push(entry);
    }
  };
  using watcher = await page.watch(options, listener);
  await page.transaction(async (tx) => {
    await tx.put("short", "x");
    await tx.put("most", new Uint8Array(65_536).fill(1));
    await tx.put("large", new Uint8Array(65_537).fill(2));
    await tx.put("huge", new Uint8Array(1 << 20).fill(3));
  });
  await watcher.idle();
  return { found, entries };
}

describe("watch", () => {
  pageTest("a value above 64 KiB is a size, and is streamed", async (page) => {
    const { found, entries } = await seen(page, {});
    expect(found).toEqual({
      short: [1, undefined, 1],
      most: [65_536, undefined, 65_536],
      large: [undefined, 65_537, 65_537],
      huge: [undefined, 1 << 20, 1 << 20],
    });
    const late = entries[0]?.stream().next() as Promise<unknown>;
    await rejection(late, "ILLEGAL_STATE");
  });

  pageTest("values: 0 and other sizes, and none at all", async (page) => {
    const { found } = await seen(page, { values: 1 << 20 });
    expect(Object.values(found).map(([value]) => value)).toEqual([1 << 20, 65_537, 65_536, 1]);
    await page.clear();
    expect((await seen(page, { values: 0 })).found.short).toEqual([undefined, 1, 1]);
    await page.clear();
    expect((await seen(page, { values: false })).found).toEqual({
      short: [undefined, undefined, 1],
      most: [undefined, undefined, 65_536],
      large: [undefined, undefined, 65_537],
      huge: [undefined, undefined, 1 << 20],
    });
  });

  pageTest("a snapshot with a watcher has the same choice", async (page) => {
    const sizes: (number | undefined)[] = [];
    await using snapshot = await page.snapshot({
      values: 1,
      watch: ({ changed }) => void sizes.push(...changed.map(({ size }) => size)),
    });
    await page.put("a", "xy");
    await snapshot.watcher.idle();
    expect(sizes).toEqual([2]);
  });

  pageTest.each<unknown>([true, -1, 1.5, "all"])("refuses values: %j", async (page, values) => {
    const watching = page.watch({ values: values as never }, () => undefined);
    await rejection(watching, "INVALID_ARGUMENT");
  });
});
