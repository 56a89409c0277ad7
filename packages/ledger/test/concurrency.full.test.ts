/** Connections that do everything at the same time: they come to one state, and nothing is lost or left over. */
import { join } from "node:path";
import fc from "fast-check";
import { isMerostoreError, toHex } from "merostore/internal";
import { expect, it } from "vitest";
import { cleanUpAfterEach, temporaryFolder } from "../../../test/engines/temporary.js";
import { type Mutations, memoryPlace, type Page, type PageSnapshot, type Place } from "../src/index.js";
import { folderPlace } from "../src/places/index.js";
import { faultsOf, readTidied, rowsOf } from "./stored.js";
import { begin, connections, contents, headOf, type OpenTransaction, shown, testLedger } from "./support.js";

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

/** A transaction that begins or runs. */
interface Begun {
  readonly tx: Promise<OpenTransaction>;
  /** Returns whether its connection was closed; its remaining work then fails with CLOSED. */
  isClosed(): boolean;
}

async function inTransaction(begun: Begun, use: (tx: OpenTransaction) => Promise<void>): Promise<void> {
  try {
    await use(await begun.tx);
  } catch (error) {
    if (!begun.isClosed() || !isMerostoreError(error, "CLOSED")) throw error;
  }
}

/** Does everything without waiting, except where an action says so. */
async function run(
  place: Place | string,
  actions: readonly Action[],
): Promise<{ readonly isEmpty: boolean }> {
  const ledger = await testLedger({}, place);
  const pages = await connections(ledger, CONNECTIONS);
  const open = pages.map((): Begun | undefined => undefined);
  const closed = new Set<Page>();
  const going: Promise<unknown>[] = [];
  const snapshots: Promise<{ snapshot: PageSnapshot; first: unknown }>[] = [];
  for (const [number, { at, key, size, what }] of actions.entries()) {
    const page = pages[at] as Page;
    const value = `${number} `.repeat(size);
    const begun = open[at];
    const change = (use: (on: Mutations) => Promise<void>): void =>
      void going.push(begun === undefined ? use(page) : inTransaction(begun, use));
    if (what === "put") change((on) => on.put(key, value));
    if (what === "stream") change((on) => on.put(key, stream(value), { priority: "lazy" }));
    if (what === "delete") change((on) => on.delete(key));
    if (what === "clear") change((on) => on.clear());
    if (what === "begin" && begun === undefined) {
      open[at] = { tx: begin(page), isClosed: () => closed.has(page) };
      going.push(inTransaction(open[at], async () => undefined));
    }
    if ((what === "commit" || what === "rollback") && begun !== undefined) {
      open[at] = undefined;
      going.push(inTransaction(begun, (tx) => tx[what]()));
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
      closed.add(page);
      open[at] = undefined;
      going.push(page.close());
      pages[at] = await ledger.rootPage();
    }
  }
  for (const begun of open) if (begun !== undefined) going.push(inTransaction(begun, (tx) => tx.commit()));
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
