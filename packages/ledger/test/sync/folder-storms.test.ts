/** Devices that write at the same time and look into their folder when they have written. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toHex } from "merostore/internal";
import { expect, it } from "vitest";
import { folderCloud } from "../../src/index.js";
import { contents, headOf, testLedger } from "../support.js";

it("devices without an interval make at most one merge for each put, and are equal after three syncs", async () => {
  const path = mkdtempSync(join(tmpdir(), "merostore-storm-"));
  const all = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const cloud = folderCloud(path, { interval: 0 });
      const ledger = await testLedger({ cloud });
      return { cloud, ledger, page: await ledger.rootPage() };
    }),
  );
  try {
    const expected: Record<string, string> = {};
    await Promise.all(
      all.map(async ({ page, cloud }, at) => {
        for (let put = 0; put < 20; put++) {
          expected[`${at}/${put}`] = "1";
          await page.put(`${at}/${put}`, "1");
          await cloud.sync();
        }
      }),
    );
    for (let round = 0; round < 3; round++) {
      await Promise.all(all.map(({ cloud }) => cloud.sync()));
      await Promise.all(all.map(({ page }) => page.waitForConflictResolution()));
    }
    const heads = await Promise.all(all.map(async ({ page }) => toHex(await headOf(page))));
    expect(new Set(heads).size).toBe(1);
    for (const { page } of all) {
      expect(await contents(page)).toEqual(expected);
      let merges = 0;
      for await (const { parents } of page.history()) if (parents.length > 1) merges++;
      expect(merges).toBeLessThanOrEqual(Object.keys(expected).length);
    }
  } finally {
    for (const { ledger } of all) await ledger.close();
    rmSync(path, { recursive: true, force: true });
  }
});
