/** The explorer in Chromium: pages with a database, and what they must never do. */

/** For what never ends; nothing that works comes near. */
const LONG = 120_000;

/** Opens the page. Collects what it must not do: errors, messages, requests to other origins. */
export async function newPage(browser, address, { width = 1280, height = 900, scheme = "light" } = {}) {
  const page = await browser.newPage();
  page.setDefaultTimeout(LONG);
  const { origin } = new URL(address);
  page.noise = [];
  page.on("pageerror", (error) => page.noise.push(String(error)));
  page.on("console", (message) => page.noise.push(`${message.type()}: ${message.text()}`));
  page.on("request", (request) => {
    const url = request.url();
    const isOwn = url.startsWith(`${origin}/`) || url.startsWith("data:") || url.startsWith("blob:");
    if (origin !== "null" && !isOwn) page.noise.push(`asked for ${url}`);
  });
  await page.setViewport({ width, height });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.goto(address);
  return page;
}

/** Picks a folder on the start page and waits until the shell is there. */
export async function pick(page, folder) {
  const input = await page.waitForSelector("input[type=file]");
  await input.uploadFile(folder);
  await page.waitForSelector(".shell");
}

/** Drops a folder on the drop area. */
export async function drop(page, folder) {
  const area = await page.waitForSelector(".drop");
  const { x, y, width, height } = await area.boundingBox();
  const session = await page.createCDPSession();
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"])
    await session.send("Input.dispatchDragEvent", { type, x: x + width / 2, y: y + height / 2, data });
}

/** Goes to an address within the page and waits until nothing is on its way. */
export async function visit(page, address) {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, address);
  await settled(page);
}

/** Waits until every answer of the view is there. */
export async function settled(page) {
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 60))));
  await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 60))));
}

/** The text that a person reads in an element of the page. */
export function textOf(page, selector = "#view") {
  return page.$eval(selector, (element) => element.innerText);
}
