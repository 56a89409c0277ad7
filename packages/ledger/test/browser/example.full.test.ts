/** The example: two browsers edit a list through a server, also while it is away, and show the same. */
import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { removeTemporary, temporaryFolder } from "../../../../test/engines/temporary.js";
import { findChromium, launch } from "../../../explorer/test/support/chromium.mjs";
import { servePage } from "../../example/serve.mjs";
import { type FileServer, serveFiles } from "../../src/index.js";

const chromium = findChromium();
const TOKEN = "made-up-token-0123456789";
const SYNCED = "everything is on the server";

/** The items that a page shows, as text. */
const SHOWN = `[...document.querySelectorAll("li")].map((row) => {
  const [done, text] = row.querySelectorAll("input");
  return (done.checked ? "x " : "- ") + text.value;
}).join("\\n")`;

const status = (page: Page, text: string) =>
  page.waitForFunction(`document.querySelector("#status").textContent === ${JSON.stringify(text)}`);

async function add(page: Page, text: string): Promise<void> {
  await page.type("form input", text);
  await page.click("form button");
  await page.waitForFunction(`(${SHOWN}).includes(${JSON.stringify(text)})`);
}

const shows = (page: Page, text: string) => page.waitForFunction(`(${SHOWN}) === ${JSON.stringify(text)}`);

describe.skipIf(chromium === undefined)("the example in Chromium", () => {
  const browsers: Browser[] = [];
  const pages: Page[] = [];
  const noise: string[] = [];
  const folder = temporaryFolder();
  let site: Awaited<ReturnType<typeof servePage>>;
  let server: FileServer;
  const serve = (port?: number) => serveFiles(folder, { token: TOKEN, origin: site.origin, port });

  beforeAll(async () => {
    site = await servePage();
    server = await serve();
    const given = new URLSearchParams({ server: server.url, token: TOKEN, key: "5f".repeat(32) });
    for (let at = 0; at < 2; at++) {
      const browser = await launch(chromium as string, temporaryFolder());
      browsers.push(browser);
      const page = await browser.newPage();
      page.on("pageerror", (error) => noise.push(String(error)));
      await page.goto(`${site.origin}/#${given}`);
      await status(page, SYNCED);
      pages.push(page);
    }
  });
  afterAll(async () => {
    for (const browser of browsers) await browser.close();
    await server?.close();
    site?.close();
    removeTemporary();
  });

  it("shows in each browser what the other has changed, with the server and after it was away", async () => {
    const [one, two] = pages as [Page, Page];
    await add(one, "Milk");
    await shows(two, "- Milk");
    await add(two, "Bread");
    await shows(one, "- Milk\n- Bread");

    const port = Number(new URL(server.url).port);
    await server.close();
    await add(one, "Apples");
    await one.click('li input[type="checkbox"]');
    await shows(one, "x Milk\n- Bread\n- Apples");
    await add(two, "Pears");
    await two.click("li:nth-child(2) button");
    await two.click('li:first-child input[aria-label="Item"]', { count: 3 });
    await two.type('li:first-child input[aria-label="Item"]', "Oat milk");
    await two.keyboard.press("Tab");
    await shows(two, "- Oat milk\n- Pears");
    await status(two, "changes are kept here until the server has them");

    server = await serve(port);
    for (const page of [one, two]) {
      await shows(page, "x Oat milk\n- Apples\n- Pears");
      await status(page, SYNCED);
    }
    expect(noise).toEqual([]);

    for (const width of [390, 1280]) {
      await one.setViewport({ width, height: 640 });
      expect(await one.evaluate("document.documentElement.scrollWidth")).toBe(width);
      if (process.env.SCREENSHOTS)
        await one.screenshot({ path: `${process.env.SCREENSHOTS}/list-${width}.png` });
    }
  });

  it("keeps the list when the page is loaded again, and waits in a second tab", async () => {
    const [one] = pages as [Page, Page];
    const second = await (browsers[0] as Browser).newPage();
    await second.goto(one.url());
    await status(second, "open in another tab: close it to go on here");
    await one.close();
    await shows(second, "x Oat milk\n- Apples\n- Pears");
    await status(second, SYNCED);
  });
});
