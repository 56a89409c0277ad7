/** A tab that writes a database and is reloaded in the middle, while another tab waits to open it. */
import { join } from "node:path";
import { bundle } from "./bundle.mjs";
import { ask, exported, rowsOfRocksDB, same, serve } from "./origin.mjs";

const NAME = "reloads";
const LOCKED = `DATABASE_LOCKED: ${NAME} is open for writing in a page of this site`;
/** Batches that are acknowledged before each reload: none while the database is created or opened. */
const BATCHES = [0, 0, 0, 1, 12, 0, 2, 11, 30, 3, 22, 70, 5, 33, 150, 0, 44, 7, 60, 11];
/**
 * Batches between two flushes, in turn. A worker whose page goes ends where it waits for the browser, in the middle of a flush; one that
 * never waits is ended in the middle of a batch.
 */
const UNTIL_FLUSH = [11, 3, 11, Number.POSITIVE_INFINITY];

/**
 * Reloads the tab after some batches, again and again. The other tab is refused while the first one has the database, and then finds all
 * acknowledged batches, each as a whole; so does RocksDB.
 *
 * @param report takes what was looked at, whether it is right, and a detail
 */
export async function reloadWhileWriting(browser, folder, report) {
  const { code } = await bundle("test/browser/writer.mjs");
  const server = await serve(code);
  const [writing, other] = [await browser.newPage(), await browser.newPage()];
  let told = () => undefined;
  await writing.exposeFunction("told", (message) => told(message));
  const lost = [];
  let number = 0;
  try {
    await other.goto(server.address);
    await writing.goto(server.address);
    for (const [round, least] of BATCHES.entries()) {
      let acknowledged = number;
      const untilFlush = UNTIL_FLUSH[round % UNTIL_FLUSH.length];
      const enough = new Promise((resolve) => {
        told = (message) => {
          if (message.error !== undefined) lost.push(`round ${round}: ${message.error}`);
          acknowledged = message.acknowledged ?? acknowledged;
          if (message.error !== undefined || acknowledged >= number + least) resolve();
        };
      });
      await writing.evaluate(startEndless, { task: "endless", name: NAME, first: number + 1, untilFlush });
      await enough;
      if (round % 7 === 4) {
        const { error } = await ask(other, { task: "batches", name: NAME });
        if (error !== LOCKED) lost.push(`round ${round}: the other tab was not refused: ${error ?? "open"}`);
      }
      await writing.reload();
      await other.evaluate(waitForEnd, `merostore ${NAME}`);
      const { answer, error } = await ask(other, { task: "batches", name: NAME });
      if (error !== undefined) throw new Error(`round ${round}: ${error}`);
      if (answer.number < acknowledged || !answer.isWhole)
        lost.push(
          `round ${round}: ${acknowledged} batches were acknowledged, ${answer.number} are there, ${answer.isWhole ? "" : "not "}whole`,
        );
      number = answer.number;
      if (round % 5 > 0) continue;
      const copy = join(folder, `reloaded-${round}`);
      await exported(other, NAME, copy);
      if (!same(await rowsOfRocksDB(copy), answer.rows))
        lost.push(`round ${round}: RocksDB reads other rows`);
    }
  } catch (error) {
    lost.push(error.message);
  } finally {
    await writing.close();
    await other.close();
    server.close();
  }
  report(
    `a tab that is reloaded ${BATCHES.length} times: batches ${number}`,
    lost.length === 0,
    lost.join("; "),
  );
}

/** Waits until the worker that holds a lock has ended. */
async function waitForEnd(lock) {
  await navigator.locks.request(lock, () => undefined);
}

/** Lets a worker of the page write. */
function startEndless(message) {
  const worker = new Worker("/writer.js", { type: "module" });
  worker.onmessage = ({ data }) => globalThis.told(data);
  worker.onerror = ({ message: error }) => globalThis.told({ error });
  worker.postMessage(message);
}
