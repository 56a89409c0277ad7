/** A database that a worker in Chromium writes in the private file system, whose files RocksDB then opens. */
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { openRocksEngine } from "../../dist/engines/index.js";
import { toHex } from "../../dist/index.js";
import { bundle, ofNode } from "./bundle.mjs";

const PAGE = "<!doctype html><title>writes</title>";

/** Serves the page and its worker: the private file system needs an address. */
export async function serve(code) {
  const server = createServer(({ url }, response) => {
    const isWorker = url === "/writer.js";
    response.writeHead(200, { "content-type": isWorker ? "text/javascript" : "text/html" });
    response.end(isWorker ? code : PAGE);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** The answer of a worker to a message about a database. The worker is ended afterwards. */
export function ask(page, message) {
  return page.evaluate(
    (given) =>
      new Promise((resolve) => {
        const worker = new Worker("/writer.js", { type: "module" });
        const end = (answer) => {
          worker.terminate();
          resolve(answer);
        };
        worker.onmessage = ({ data }) => end(data);
        worker.onerror = ({ message: error }) => end({ error });
        worker.postMessage(given);
      }),
    message,
  );
}

/** Copies a database out of the private file system. Returns the names of its files. */
export async function exported(page, name, folder) {
  const files = await page.evaluate(async (given) => {
    const root = await navigator.storage.getDirectory();
    const directory = await root.getDirectoryHandle(given);
    const found = {};
    for await (const [name, handle] of directory.entries()) {
      const bytes = new Uint8Array(await (await handle.getFile()).arrayBuffer());
      let text = "";
      for (const byte of bytes) text += String.fromCharCode(byte);
      found[name] = btoa(text);
    }
    return found;
  }, name);
  mkdirSync(folder);
  for (const [file, text] of Object.entries(files))
    writeFileSync(join(folder, file), Buffer.from(text, "base64"));
  return Object.keys(files);
}

export async function rowsOfRocksDB(folder) {
  const engine = await openRocksEngine(folder, { writable: true });
  const rows = [];
  for (const column of engine.columns)
    for await (const { key, value } of engine.scan(column))
      rows.push(`${column} ${toHex(key)} ${toHex(value)}`);
  await engine.close();
  return rows;
}

export const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Writes, closes and opens a database in a page, again and again, and lets RocksDB open its files each time.
 *
 * @param report takes what was looked at, whether it is right, and a detail
 */
export async function writeInOrigin(browser, folder, report) {
  const { code, metafile } = await bundle("test/browser/writer.mjs");
  const found = ofNode({ code, metafile });
  report("the worker contains no Node modules", found.length === 0, found.join("; "));
  const server = await serve(code);
  const page = await browser.newPage();
  try {
    await page.goto(server.address);
    let before = [];
    for (const [turn, flushes] of [0, 1, 0, 7, 2].entries()) {
      const what = `the private file system, opening ${turn + 1}, flushes ${flushes}`;
      const { answer, error } = await ask(page, { name: "db", task: "turn", turn, flushes });
      if (error !== undefined) {
        report(what, false, error);
        return;
      }
      report(`${what}: the rows of before`, same(answer.before, before) && same(answer.kept, before));
      report(
        `${what}: no warnings`,
        answer.warnings.length === 0,
        answer.warnings.map(({ message }) => message).join("; "),
      );
      const copy = join(folder, `origin-${turn}`);
      const names = await exported(page, "db", copy);
      const rows = await rowsOfRocksDB(copy);
      report(
        `${what}: RocksDB reads the same`,
        rows.length > 0 && same(rows, answer.rows),
        `rows ${rows.length}, files ${names.length}`,
      );
      before = answer.rows;
    }
    const refused = await ask(page, { name: "db", task: "refused" });
    report(
      "the private file system: opened once, created once",
      same(refused.answer, ["DATABASE_LOCKED", "DATABASE_EXISTS"]),
      refused.error ?? refused.answer.join(", "),
    );
    const ended = await ask(page, { name: "db", task: "ended" });
    const again = await ask(page, { name: "db", task: "turn", turn: 9, flushes: 1 });
    report(
      "the private file system: a synced batch of a worker that was ended",
      ended.answer?.length > before.length && same(again.answer?.before, ended.answer),
      ended.error ?? again.error,
    );
  } finally {
    await page.close();
    server.close();
  }
}
