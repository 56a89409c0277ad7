/** A put while somebody holds an older state of the page costs the same, however many puts came before. */
import { expect, it } from "vitest";
import { type Ledger, memoryPlace, type Page } from "../src/index.js";
import { diverge } from "./merging/support.js";
import { Counts, countedPlace } from "./storage/counted.js";
import { faultsOf, readTidied } from "./stored.js";
import { Gate, macrotasks, testLedger } from "./support.js";

/** More than the commits that are kept decoded. */
const PUTS = 1_300;

/** Ends the use that holds the history. */
type End = () => Promise<unknown>;

const holders: Readonly<Record<string, (page: Page, ledger: Ledger) => Promise<End>>> = {
  "a snapshot": async (page) => {
    const snapshot = await page.snapshot();
    return () => snapshot.close();
  },
  "a slow watcher": async (_, ledger) => {
    const gate = new Gate();
    const watched = await ledger.rootPage();
    await watched.watch({}, () => gate.opened);
    return async () => {
      gate.open();
      await watched.close();
    };
  },
  "an idle transaction": async (_, ledger) => {
    const gate = new Gate();
    const other = await ledger.rootPage();
    const begun = new Gate();
    const going = other.transaction(async (transaction) => {
      await transaction.put("other", "1");
      begun.open();
      await gate.opened;
    });
    await begun.opened;
    return async () => {
      gate.open();
      await going;
    };
  },
  "snapshots of both sides of a merge": async (_, ledger) => {
    const pages = await diverge(ledger, { left: "1" }, { right: "1" });
    const snapshots = await Promise.all(pages.map((page) => page.snapshot()));
    await pages[0].waitForConflictResolution();
    return () => Promise.all(snapshots.map((snapshot) => snapshot.close()));
  },
  "a head that nobody merges": async (_, ledger) => {
    const cancel = ledger.setConflictResolver(() => ({ policy: "last-one-wins" }));
    cancel();
    const [page, other] = await diverge(ledger, { left: "1" }, { right: "1" });
    await other.close();
    return async () => {
      ledger.setConflictResolver(() => ({ policy: "last-one-wins" }));
      await page.waitForConflictResolution();
    };
  },
};

it.each(Object.entries(holders))("with %s", async (_, hold) => {
  const counts = new Counts();
  const place = countedPlace(memoryPlace(), counts);
  const ledger = await testLedger({}, place);
  const page = await ledger.rootPage();
  for (let at = 0; at < 10; at++) await page.put(`key${at}`, "value");
  await macrotasks(50);
  const end = await hold(page, ledger);
  const readsOf = async (from: number, to: number): Promise<number> => {
    const before = counts.reads;
    for (let at = from; at < to; at++) await page.put(`key${at % 10}`, `value ${at}`);
    return counts.reads - before;
  };
  const early = await readsOf(0, 100);
  await readsOf(100, PUTS - 100);
  const late = await readsOf(PUTS - 100, PUTS);
  expect(late).toBeLessThanOrEqual(early + 100);
  const most = Math.max(...counts.writes.map((operations) => operations.length));
  expect(most).toBeLessThan(100);

  await end();
  const writes = counts.writes.length;
  await page.put("last", "1");
  // The put waits for one or two steps; the others come after it.
  expect(counts.writes.length - writes).toBeLessThan(10);
  await page.waitForConflictResolution();
  await ledger.close();
  const stored = await readTidied(place);
  expect(faultsOf(stored)).toEqual([]);
  expect(stored.roots.size).toBe(1);
});
