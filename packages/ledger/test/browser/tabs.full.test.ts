/** Ledgers in the private file system of Chromium: pages, and two tabs of one site. */

import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle } from "../../../../test/browser/bundle.mjs";
import { serve } from "../../../../test/browser/origin.mjs";
import { removeTemporary, temporaryFolder } from "../../../../test/engines/temporary.js";
import { findChromium, launch } from "../../../explorer/test/support/chromium.mjs";

const chromium = findChromium();
const [ONE, TWO] = ["00".repeat(16), "ab".repeat(16)] as const;

/** A tab with a worker that has a ledger. */
class Tab {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  static async open(browser: Browser, address: string): Promise<Tab> {
    const page = await browser.newPage();
    await page.goto(address);
    const tab = new Tab(page);
    await tab.start();
    return tab;
  }

  /** Starts the worker, as a page does when it is loaded. */
  start(): Promise<void> {
    return this.page.evaluate(() => {
      const { Worker: Start } = globalThis as unknown as {
        Worker: new (url: string, options: object) => TabWorker;
      };
      const worker = new Start("/writer.js", { type: "module" });
      const waiting = new Map<number, (answer: unknown) => void>();
      worker.onmessage = ({ data }) => waiting.get(data.number)?.(data.error ?? data.answer ?? "done");
      let number = 0;
      Object.assign(globalThis, {
        call: (call: string, given: unknown[]) =>
          new Promise((resolve) => {
            waiting.set(++number, resolve);
            worker.postMessage({ number, call, given });
          }),
      });
    });
  }

  /** The answer of a call, or the code of its error. */
  call(call: string, ...given: readonly unknown[]): Promise<unknown> {
    return this.page.evaluate(
      (name, values) =>
        (globalThis as unknown as { call: (...given: unknown[]) => unknown }).call(name, values),
      call,
      given,
    );
  }
}

interface TabWorker {
  onmessage: (event: { readonly data: { number: number; answer?: unknown; error?: string } }) => void;
  postMessage(message: object): void;
}

describe.skipIf(chromium === undefined)("a ledger in Chromium", () => {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof serve>>;
  let [first, second]: Tab[] = [];
  beforeAll(async () => {
    const { code } = await bundle("packages/ledger/test/browser/tab.mjs");
    server = await serve(code);
    browser = await launch(chromium as string, temporaryFolder());
    first = await Tab.open(browser, server.address);
    second = await Tab.open(browser, server.address);
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    removeTemporary();
  });

  const tab = (which: Tab | undefined): Tab => which as Tab;

  it("keeps pages, deletes them, and counts none of which a part is left", async () => {
    const one = tab(first);
    expect(await one.call("open", false)).toBe("open");
    expect(await one.call("pages")).toEqual([[], []]);
    await one.call("put", ONE, "name", "Alice");
    await one.call("put", TWO, "city", "Paris");
    expect(await one.call("entries", ONE)).toEqual({ name: "Alice" });
    expect(await one.call("delete", TWO)).toBe("done");
    expect(await one.call("delete", TWO)).toBe("PAGE_NOT_FOUND");
    await one.call("put", TWO, "city", "Rome");
    expect(await one.call("entries", TWO)).toEqual({ city: "Rome" });
    await one.call("halve", TWO);
    expect((await one.call("pages")) as unknown[][]).toEqual([["contacts"], [String(new Uint8Array(16))]]);
    await one.call("put", TWO, "city", "Oslo");
    expect(await one.call("entries", TWO)).toEqual({ city: "Oslo" });
    expect(await one.call("close")).toBe("done");
    expect(await one.call("verify", ONE)).toEqual([]);
    expect(await one.call("verify", TWO)).toEqual([]);
  });

  it("is refused to a second tab, which gets it when the first closes it", async () => {
    const [one, two] = [tab(first), tab(second)];
    expect(await one.call("open", false)).toBe("open");
    await one.call("put", ONE, "from", "the first tab");
    expect(await two.call("open", false)).toBe("DATABASE_LOCKED");
    let isOpen = false;
    const waiting = two.call("open", true).then((answer) => {
      isOpen = true;
      return answer;
    });
    expect(await one.call("entries", ONE)).toEqual({ name: "Alice", from: "the first tab" });
    expect(isOpen).toBe(false);
    await one.call("close");
    expect(await waiting).toBe("open");
    expect(await two.call("entries", ONE)).toEqual({ name: "Alice", from: "the first tab" });
    await two.call("close");
  });

  it("goes to the tab that waits when the other is loaded again, with all that was put", async () => {
    const [one, two] = [tab(first), tab(second)];
    expect(await one.call("open", false)).toBe("open");
    const waiting = two.call("open", true);
    for (let at = 0; at < 20; at++) await one.call("put", TWO, `key ${at}`, "x".repeat(100 * at));
    await one.page.reload();
    await one.start();
    expect(await waiting).toBe("open");
    expect(Object.keys((await two.call("entries", TWO)) as object)).toHaveLength(21);
    expect(await one.call("open", false)).toBe("DATABASE_LOCKED");
    await two.call("close");
    expect(await two.call("verify", TWO)).toEqual([]);
    expect(await one.call("open", true)).toBe("open");
    await one.call("close");
  });
});
