/** Connections that do everything at the same time: they come together, and nothing is lost or left over. */
import { join } from "node:path";
import fc from "fast-check";
import { toHex } from "merostore/internal";
import { expect, it } from "vitest";
import { cleanUpAfterEach, temporaryFolder } from "../../../test/engines/temporary.js";
import { memoryPlace, type Page, type PageSnapshot, type Place } from "../src/index.js";
import { folderPlace } from "../src/places/index.js";
import { faultsOf, readTidied, rowsOf } from "./stored.js";
import { connections, contents, headOf, shown, testLedger } from "./support.js";

cleanUpAfterEach();

const CONNECTIONS = 3;

const action = fc.record({
  at: fc.nat(CONNECTIONS - 1),
  key: fc.constantFrom("a", "b", "au", "key00425", "k9004"),
  size: fc.constantFrom(0, 10, 100, 20_000),
  what: fc.constantFrom(
    ...["put", "put", "put", "stream", "delete", "clear", "begin", "commit", "rollback"],
    ...["snapshot", "close snapshot", "wait", "reopen"],
  ),
});

type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

async function* stream(value: string): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < value.length; at += 5000) yield new TextEncoder().encode(value.slice(at, at + 5000));
}

/** Does everything without waiting, except where an action says so. */
async function run(
  place: Place | string,
  actions: readonly Action[],
): Promise<{ readonly isEmpty: boolean }> {
  const ledger = await testLedger({}, place);
  const pages = await connections(ledger, CONNECTIONS);
  const open = pages.map(() => false);
  const going: Promise<unknown>[] = [];
  const snapshots: Promise<{ snapshot: PageSnapshot; first: unknown }>[] = [];
  for (const [number, { at, key, size, what }] of actions.entries()) {
    const page = pages[at] as Page;
    const value = `${number} `.repeat(size);
    if (what === "put") going.push(page.put(key, value));
    if (what === "stream") going.push(page.put(key, stream(value), { priority: "lazy" }));
    if (what === "delete") going.push(page.delete(key));
    if (what === "clear") going.push(page.clear());
    if (what === "begin" && !open[at]) {
      open[at] = true;
      going.push(page.startTransaction());
    }
    if ((what === "commit" || what === "rollback") && open[at]) {
      open[at] = false;
      going.push(what === "commit" ? page.commit() : page.rollback());
    }
    if (what === "snapshot") {
      const taking = page.snapshot();
      snapshots.push(taking.then(async (snapshot) => ({ snapshot, first: await shown(snapshot) })));
    }
    if (what === "close snapshot") {
      const taken = snapshots.shift();
      if (taken !== undefined) going.push(unchanged(taken));
    }
    if (what === "wait") await Promise.all(going.splice(0));
    if (what === "reopen") {
      open[at] = false;
      going.push(page.close());
      pages[at] = await ledger.rootPage();
    }
  }
  for (const [at, page] of pages.entries()) if (open[at]) going.push(page.commit());
  await Promise.all(going);
  await Promise.all(snapshots.map(unchanged));
  const [page] = pages as [Page];
  await page.waitForConflictResolution();
  const all = await contents(page);
  for (const other of pages) {
    expect(await contents(other)).toEqual(all);
    expect(toHex(await headOf(other))).toBe(toHex(await headOf(page)));
  }
  await ledger.close();
  return { isEmpty: Object.keys(all).length === 0 };
}

async function unchanged(taken: Promise<{ snapshot: PageSnapshot; first: unknown }>): Promise<void> {
  const { snapshot, first } = await taken;
  expect(await shown(snapshot)).toEqual(first);
  await snapshot.close();
}

async function check(place: Place): Promise<void> {
  const stored = await readTidied(place);
  expect(faultsOf(stored)).toEqual([]);
  expect(rowsOf(stored, "transient-piece")).toEqual([]);
  expect([stored.heads.length, stored.roots.size]).toEqual([1, 1]);
}

it.each<[string, number, () => readonly [Place | string, () => Place]]>([
  [
    "in memory",
    100,
    () => {
      const place = memoryPlace();
      return [place, () => place];
    },
  ],
  [
    "with LevelDB",
    8,
    () => {
      const folder = join(temporaryFolder(), "repository");
      return [folder, () => folderPlace(folder, "leveldb")];
    },
  ],
])("%s", async (_where, numRuns, make) => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 60 }), async (actions) => {
      const [place, closed] = make();
      const { isEmpty } = await run(place, actions);
      if (!isEmpty) await check(closed());
    }),
    { seed: 20_261_121, numRuns, endOnFailure: true },
  );
});
