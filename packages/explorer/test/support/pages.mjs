/** The explorer in Chromium: pages with a database, and checks of forbidden actions. */

/** A limit for hanging work, far above the time of any successful step. */
const LONG = 120_000;

/** Opens the page. Collects its forbidden actions: errors, messages, requests to other origins. */
export async function newPage(browser, address, { width = 1280, height = 900, scheme = "light" } = {}) {
  const page = await browser.newPage();
  page.setDefaultTimeout(LONG);
  const { origin, protocol } = new URL(address);
  page.noise = [];
  page.on("pageerror", (error) => page.noise.push(String(error)));
  page.on("console", (message) => page.noise.push(`${message.type()}: ${message.text()}`));
  page.on("request", (request) => {
    const url = request.url();
    // A page that was saved as one file needs no other file.
    const isOwn = protocol === "file:" ? url.split("#")[0] === address : url.startsWith(`${origin}/`);
    if (!isOwn && !/^(?:data|blob):/.test(url)) page.noise.push(`asked for ${url}`);
  });
  await page.evaluateOnNewDocument(countQuestions);
  await page.setViewport({ width, height });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.goto(address);
  return page;
}

/** Runs in the page: `openQuestions()` is the number of calls to workers that are not answered. Following never is. */
function countQuestions() {
  const open = new Map();
  const ended = new WeakSet();
  const { postMessage, terminate } = Worker.prototype;
  Worker.prototype.postMessage = function (message, ...rest) {
    // The garbage collection of a port releases its worker, which may have ended before.
    if (ended.has(this)) return postMessage.call(this, message, ...rest);
    if (!open.has(this)) {
      open.set(this, new Set());
      this.addEventListener("message", ({ data }) => open.get(this)?.delete(data?.id));
    }
    const isFollowing = message?.argumentList?.some(({ value }) => value === "follow");
    if (message?.id !== undefined && !isFollowing) open.get(this).add(message.id);
    return postMessage.call(this, message, ...rest);
  };
  Worker.prototype.terminate = function () {
    open.delete(this);
    ended.add(this);
    return terminate.call(this);
  };
  window.openQuestions = () => [...open.values()].reduce((sum, ids) => sum + ids.size, 0);
}

/** Picks a folder on the start page and waits until the shell is shown. */
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

/** Goes to an address within the page and waits until no answer is pending. */
export async function visit(page, address) {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, address);
  await settled(page);
}

/**
 * After this number of frames without a pending question or part, no more will come: an answer may cause a question.
 */
const QUIET_FRAMES = 5;

/** Waits until every answer of the view has come and is drawn. */
export async function settled(page) {
  await page.evaluate(async (frames) => {
    const nextFrame = () => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    for (let quiet = 0; quiet < frames; quiet++) {
      await nextFrame();
      if (window.openQuestions() > 0 || document.querySelector("[aria-busy=true]") !== null) quiet = -1;
    }
  }, QUIET_FRAMES);
}

/** The landmarks beside the navigation that have no name. */
export function unnamedLandmarks(page) {
  return page.$$eval("#view aside:not([aria-label], [aria-labelledby])", (all) =>
    all.map(({ className }) => className),
  );
}

/** The text that a person reads in an element of the page. */
export function textOf(page, selector = "#view") {
  return page.$eval(selector, (element) => element.innerText);
}
