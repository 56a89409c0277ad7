import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "puppeteer-core";
import { makeHistory } from "../../../bench/history-database.js";
import type { Question } from "../../../bench/question.js";

/** The modules of the page's tests, which are not compiled. */
interface Pages {
  newPage(browser: Browser, address: string): Promise<Page>;
  pick(page: Page, folder: string): Promise<void>;
  settled(page: Page): Promise<void>;
  visit(page: Page, address: string): Promise<void>;
}
interface Server {
  servePage(): Promise<{ readonly address: string; close(): void }>;
}
interface Chromium {
  findChromium(): string | undefined;
  launch(program: string, profile: string): Promise<Browser>;
}

/** The measurements in the page. */
interface InPage {
  shown(page: Page): Promise<void>;
  jump(page: Page): Promise<number>;
  scroll(page: Page, selector: string, milliseconds: number): Promise<Frames>;
}

/** The frames that were drawn, those of more than 50 ms, and the longest in milliseconds. */
interface Frames {
  readonly count: number;
  readonly over: number;
  readonly longest: number;
}

const load = async <T>(file: string): Promise<T> =>
  (await import(new URL(`../../../../../${file}`, import.meta.url).href)) as T;

/** The program, as `npm run build` makes it. */
const PROGRAM = new URL("../../../../../dist/cli/merostore.js", import.meta.url).pathname;

/** The deltas of the long history. */
const DELTAS = 200_000;

/** Milliseconds for which a view is scrolled. */
const SCROLLING = 10_000;

export default {
  name: "explorer",
  asks: "How fast is the explorer in Chromium: the overview after a drop, a jump, scrolling, a long history; what memory does its tab take?",
  against: "merostore status --rows in a process of its own",
  wanted: "≤ 2 times, ≤ 100 ms, no frame over 50 ms, ≤ 1 s, ≤ 300 MB",
  async *answer({ database }) {
    const { findChromium, launch } = await load<Chromium>("packages/explorer/test/support/chromium.mjs");
    const { newPage, pick, settled, visit } = await load<Pages>("packages/explorer/test/support/pages.mjs");
    const { servePage } = await load<Server>("packages/explorer/test/support/serve-page.mjs");
    const { jump, scroll, shown } = await load<InPage>("packages/explorer/bench/explorer-page.mjs");
    const program = findChromium();
    if (program === undefined) {
      yield "explorer: not measured, because there is no Chromium on the PATH";
      return;
    }
    const { path, rows } = await database();
    const profile = mkdtempSync(join(tmpdir(), "merostore-bench-"));
    const server = await servePage();
    const browser = await launch(program, profile);
    try {
      const page = withoutCopies(await newPage(browser, server.address));
      const start = performance.now();
      await pick(page, path);
      await shown(page);
      const overview = performance.now() - start;
      await settled(page);
      const all = performance.now() - start;
      const info = timeOfInfo(path);
      yield `overview of ${rows} rows after the drop: ${overview.toFixed(0)} ms, info ${info.toFixed(0)} ms, wanted ≤ 2, ratio=${(overview / info).toFixed(2)}; everything that goes on behind it ended after ${all.toFixed(0)} ms`;

      await visit(page, "#/rows/ContextState");
      yield `jump to the middle of a kind of ${await countOf(page)} rows: ${(await jump(page)).toFixed(0)} ms, wanted ≤ 100 ms`;
      yield `scrolling rows for 10 s: ${framesText(await scroll(page, ".grid-scroll", SCROLLING))}`;
      yield `memory of the tab: ${(await memoryOf(browser, page)).toFixed(0)} MB, wanted ≤ 300 MB`;
      await page.close();

      const history = await makeHistory(DELTAS, (sentence) => console.log(sentence));
      const second = withoutCopies(await newPage(browser, server.address));
      await pick(second, history);
      await settled(second);
      const before = performance.now();
      await visit(second, "#/history");
      yield `history of ${DELTAS} deltas, read, in lanes and drawn: ${(performance.now() - before).toFixed(0)} ms, wanted ≤ 1000 ms for the lanes`;
      yield `scrolling history for 10 s: ${framesText(await scroll(second, ".history-list", SCROLLING))}`;
      yield `memory of the tab with it: ${(await memoryOf(browser, second)).toFixed(0)} MB, wanted ≤ 300 MB`;
    } finally {
      await browser.close();
      server.close();
      rmSync(profile, { recursive: true, force: true });
    }
  },
} satisfies Question;

/** Milliseconds that `merostore status --rows` takes, its process included. */
function timeOfInfo(path: string): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM, "status", "--rows", path], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - start;
}

async function countOf(page: Page): Promise<number> {
  return Number(await page.$eval(".grid", (grid) => grid.getAttribute("aria-rowcount")));
}

function framesText({ count, over, longest }: Frames): string {
  return `${count} frames, the longest ${longest.toFixed(0)} ms, ${over} over 50 ms, wanted 0`;
}

/** Keeps the browser from holding copies of what workers read, as it does for its own tools. */
function withoutCopies(page: Page): Page {
  return page.on("workercreated", ({ client }) => void client.send("Network.disable").catch(() => undefined));
}

/** Megabytes of memory of the process that draws a page, with its workers. */
async function memoryOf(browser: Browser, page: Page): Promise<number> {
  const session = await browser.target().createCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  await page.bringToFront();
  const sizes = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => residentSize(id));
  return Math.max(...sizes) / 1024;
}

/** Kilobytes of a process in memory, without what it shares with others. */
function residentSize(id: number): number {
  const smaps = readFileSync(`/proc/${id}/smaps_rollup`, "utf8");
  return Number(/^Pss:\s+(\d+) kB/m.exec(smaps)?.[1] ?? 0);
}
