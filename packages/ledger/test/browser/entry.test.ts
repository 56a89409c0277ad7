/** The entry point for browsers, bundled as pages bundle it: nothing of Node, and the same folders. */
import { brotliDecompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { bundle, ofNode } from "../../../../test/browser/bundle.mjs";
import { cleanUpAfterEach, temporaryFolder } from "../../../../test/engines/temporary.js";
import * as node from "../../src/index.js";
import { compress, decompress } from "../../src/platform/browser.js";
import { SharedFolder } from "../../src/sync/folder/shared-folder.js";

cleanUpAfterEach();

type Browser = typeof import("../../src/browser.js");

const root = new URL("../../../../", import.meta.url).pathname;
const bundled = bundle({ contents: 'export * from "merostore-ledger"', resolveDir: root });

async function inBrowser(): Promise<Browser> {
  const { code } = await bundled;
  return import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`);
}

describe("the entry point for browsers", () => {
  it("contains nothing of Node", async () => {
    expect(ofNode(await bundled)).toEqual([]);
  });

  it("syncs with Node through one folder, in both directions", async () => {
    const browser = await inBrowser();
    const folder = temporaryFolder();
    const key = "5f".repeat(32);
    const large = "a long value, many times ".repeat(20_000);
    const devices = await Promise.all(
      [node, browser].map(async ({ folderCloud, memoryPlace, openLedger }) => {
        const cloud = folderCloud(new SharedFolder(folder), { key, interval: 0 });
        const ledger = await openLedger(memoryPlace(), { name: "contacts", cloud });
        return { cloud, ledger, page: await ledger.rootPage({ values: "text" }) };
      }),
    );
    const [here, there] = devices as [(typeof devices)[0], (typeof devices)[0]];
    await here.page.put("node", large);
    await here.cloud.sync();
    await there.cloud.sync();
    expect(await there.page.get("node")).toBe(large);
    await there.page.put("browser", large.toUpperCase());
    await there.cloud.sync();
    await here.cloud.sync();
    expect(await here.page.get("browser")).toBe(large.toUpperCase());
    for (const { ledger } of devices) await ledger.close();
  });

  it("refuses folders by name", async () => {
    const { folderCloud, isMerostoreError, openLedger } = {
      ...(await import("merostore")),
      ...(await inBrowser()),
    };
    const refusal = await openLedger("data", { name: "contacts" }).catch((error: unknown) => error);
    expect(isMerostoreError(refusal, "INVALID_ARGUMENT")).toBe(true);
    expect(String(refusal)).toContain('must be originPlace(folder), or memoryPlace(), not "data"');
    expect(() => folderCloud("shared")).toThrow("browsers have no folders");
  });

  it("refuses a call that would wait for itself before the first await of its callback", async () => {
    const { memoryPlace, openLedger } = await inBrowser();
    const ledger = await openLedger(memoryPlace(), { name: "contacts" });
    const page = await ledger.rootPage();
    const inside = page.transaction(() => page.put("a", "1"));
    await expect(inside).rejects.toMatchObject({ code: "ILLEGAL_STATE" });
    await page.put("a", "2");
    await ledger.close();
  });
});

describe("brotli of browsers", () => {
  it.each([0, 1, 65_535, 65_536, 65_537, 300_000])(
    "is read by Node and by itself: %i bytes",
    async (size) => {
      const bytes = Uint8Array.from({ length: size }, (_, at) => at * at);
      const stored = await compress(bytes);
      expect(stored.length).toBe(size + 3 * Math.ceil(size / 65_536) + 1);
      expect(brotliDecompressSync(stored).equals(bytes)).toBe(true);
      expect(Buffer.from(await decompress(stored, size)).equals(bytes)).toBe(true);
      if (size > 1)
        await expect(decompress(stored, size - 1)).rejects.toThrow(/more bytes than expected|Output buffer/);
    },
  );
});
