/** Chromium without a window, and the page in it. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import puppeteer from "puppeteer-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];

/** A limit for hanging work, far above the time of any successful step. */
const LONG = 15 * 60_000;

/** The program: `CHROMIUM_PATH`, or the first on PATH; undefined if absent. */
export function findChromium() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isProgram);
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Starts it with a profile in a folder of its own. */
export function launch(executablePath, userDataDir) {
  // Chromium refuses to run as root with its sandbox.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const limits = { timeout: LONG, protocolTimeout: LONG };
  return puppeteer.launch({ executablePath, userDataDir, headless: true, args, ...limits });
}

const PAGE = `<!doctype html><input id="folder" type="file" webkitdirectory multiple>
<input id="files" type="file" multiple>`;

/**
 * The page's answer about a database, in a fresh page: `give` brings files to it.
 *
 * @param give gets the page with its two inputs
 * @param then runs after the answer; then the page is asked again
 * @param allowed the only URL, with the URLs below it, that the page may request; undefined for none
 */
async function ask(browser, code, give, then, allowed) {
  const page = await browser.newPage();
  page.setDefaultTimeout(LONG);
  const noise = [];
  page.on("pageerror", (error) => noise.push(String(error)));
  page.on("console", (message) => noise.push(message.text()));
  page.on("request", (request) => {
    const url = request.url();
    if (url.startsWith("data:")) return; // a file within the script
    if (allowed === undefined || !url.startsWith(allowed)) noise.push(`asked for ${url}`);
  });
  try {
    await page.setContent(PAGE);
    await page.addScriptTag({ content: code, type: "module" });
    await page.waitForFunction("globalThis.ofNode !== undefined");
    await give(page);
    await page.waitForFunction("globalThis.picked !== undefined");
    const answer = await page.evaluate("picked");
    await then?.();
    const again = then && (await page.evaluate("readAgain()"));
    return { ...answer, again, noise, ofNode: await page.evaluate("ofNode") };
  } finally {
    await page.close();
  }
}

/** A folder that a person picks. `then`, if given, runs before the page reads it once more. */
export function pickFolder(browser, code, folder, then) {
  return ask(browser, code, async (page) => (await page.$("#folder")).uploadFile(folder), then);
}

/** {@link pickFolder} of a database whose rows have no schema. */
export function pickRaw(browser, code, folder) {
  const pick = async (page) => {
    await page.evaluate("globalThis.isRaw = true");
    await (await page.$("#folder")).uploadFile(folder);
  };
  return ask(browser, code, pick);
}

/** Files that a person picks. */
export function pickFiles(browser, code, files) {
  return ask(browser, code, async (page) => (await page.$("#files")).uploadFile(...files));
}

/** A folder that a person drops on the input. */
export function dropFolder(browser, code, folder) {
  return ask(browser, code, async (page) => {
    const { x, y, width, height } = await (await page.$("#folder")).boundingBox();
    const session = await page.createCDPSession();
    const data = { items: [], files: [folder], dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"]) {
      await session.send("Input.dispatchDragEvent", { type, x: x + width / 2, y: y + height / 2, data });
    }
  });
}

/** A folder on a web server. */
export function openUrl(browser, code, url) {
  const open = (page) =>
    page.evaluate((place) => {
      globalThis.picked = globalThis.readUrl(place);
    }, url);
  return ask(browser, code, open, undefined, url);
}
