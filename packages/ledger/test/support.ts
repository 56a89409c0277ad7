/** Shared parts of the tests of ledgers. */
import { it } from "vitest";
import { listOf } from "../../../test/support/lists.js";
import {
  type Clock,
  type Cloud,
  type CloudConnection,
  type Ledger,
  type LedgerOptions,
  type Mutations,
  memoryPlace,
  openLedger,
  type Page,
  type PageChange,
  type PageEntry,
  type PageId,
  type PageSnapshot,
  type PageTransaction,
  type Place,
  ROOT_PAGE_ID,
  type SyncedPage,
} from "../src/index.js";
import { noCloud } from "../src/sync/cloud.js";

const decoder = new TextDecoder();

/** A page that is not the root page. */
export const PAGE: PageId = "0123456789abcdef0123456789abcdef";

/** Bytes as text. */
export function text(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** A clock that advances by `step` with each read, so that no two commits of one clock have the same time. */
export function ticking(start = 1n, step = 1n): Clock {
  let now = start - step;
  return () => {
    now += step;
    return now;
  };
}

/** A ledger, in memory unless a place is given, whose commits have times that tick. */
export function testLedger(
  options: Partial<LedgerOptions> = {},
  place: Place | string = memoryPlace(),
): Promise<Ledger> {
  return openLedger(place, { name: "test", clock: ticking(), ...options });
}

/** A test with a new ledger and a connection to its root page. */
export function pageTest(
  name: string,
  run: (page: Page, ledger: Ledger) => Promise<void>,
  options?: Partial<LedgerOptions>,
): void {
  it(name, async () => {
    await using ledger = await testLedger(options);
    await using page = await ledger.rootPage();
    await run(page, ledger);
  });
}

/** {@link pageTest} of each case: a value, or a tuple of values. */
pageTest.each =
  <T>(cases: readonly T[]) =>
  (name: string, run: (page: Page, given: T) => Promise<void>): void => {
    const isTuple = cases.every((one) => Array.isArray(one));
    it.each(cases)(name, async (...given: unknown[]) => {
      await using ledger = await testLedger();
      await using page = await ledger.rootPage();
      await run(page, (isTuple ? given : given[0]) as T);
    });
  };

/** A test with a new ledger and two connections to its root page. */
export function twoPagesTest(
  name: string,
  run: (pages: [Page, Page], ledger: Ledger) => Promise<void>,
  options?: Partial<LedgerOptions>,
): void {
  it(name, async () => {
    await using ledger = await testLedger(options);
    await run(await twoOf(ledger), ledger);
  });
}

/** A cloud that does nothing but what it is given. */
export function cloudOf({
  onPage,
  ...connection
}: Partial<CloudConnection> & { readonly onPage?: (page: SyncedPage) => unknown } = {}): Cloud {
  return {
    async connect(page) {
      await onPage?.(page);
      return { ...noCloud, ...connection };
    },
  };
}

/** Connections to one page of a ledger. */
export function connections(ledger: Ledger, count: number, id: PageId = ROOT_PAGE_ID): Promise<Page[]> {
  return Promise.all(Array.from({ length: count }, () => ledger.page(id)));
}

/** Two connections to one page. */
export async function twoOf(ledger: Ledger, id: PageId = ROOT_PAGE_ID): Promise<[Page, Page]> {
  return [await ledger.page(id), await ledger.page(id)];
}

/** Entries as texts, in the order of their arrival; null for a value that is not on this device. */
export function asTexts(entries: readonly PageEntry[]): [string, string | null][] {
  return entries.map(({ key, value }) => [text(key), value === undefined ? null : text(value)]);
}

/** All entries of a page or snapshot, as texts in their order. */
export async function shown(of: Page | PageSnapshot): Promise<[string, string | null][]> {
  if ("snapshot" in of) {
    await using snapshot = await of.snapshot();
    return await shown(snapshot);
  }
  const entries = await listOf(of.entries());
  return asTexts(entries);
}

/** {@link shown} as an object, for tests that ignore the order. */
export async function contents(of: Page | PageSnapshot): Promise<Record<string, string | null>> {
  return Object.fromEntries(await shown(of));
}

/** The keys of a scan as texts. */
export async function keysOf(keys: AsyncIterable<Uint8Array>): Promise<string[]> {
  return (await listOf(keys)).map((key) => text(key));
}

/** The number of the page's commits that are on this device, without the first one, which is empty. */
export async function commitCount(page: Page): Promise<number> {
  return (await listOf(page.history())).length - 1;
}

/** The present commit of a page. */
export async function headOf(page: Page): Promise<Uint8Array> {
  await using snapshot = await page.snapshot();
  return snapshot.commitId;
}

/** A change as texts. */
export interface TextChange {
  readonly part: string;
  readonly changed: Record<string, string | null>;
  readonly deleted: readonly string[];
}

export function changeTexts({ part, changed, deleted }: PageChange): TextChange {
  return { part, changed: Object.fromEntries(asTexts(changed)), deleted: deleted.map(text) };
}

/** A listener that keeps its changes. */
export class Recorder {
  readonly changes: PageChange[] = [];
  readonly listener = (change: PageChange): void => void this.changes.push(change);

  get texts(): TextChange[] {
    return this.changes.map(changeTexts);
  }
}

/** A transaction that the test ends. */
export interface OpenTransaction extends PageTransaction {
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

const undone = new Error("the test rolls back");

/** Begins a transaction. Resolves when its work runs, and lets it run until the test ends it. */
export function begin(page: Page): Promise<OpenTransaction> {
  return new Promise((begun, failed) => {
    const ended = page.transaction(
      (tx) =>
        new Promise<void>((finish, fail) => {
          const commit = (): Promise<void> => {
            finish();
            return ended;
          };
          const rollback = (): Promise<void> => {
            fail(undone);
            return ended.catch((error: unknown) => {
              if (error !== undone) throw error;
            });
          };
          begun(Object.assign(tx, { commit, rollback }));
        }),
    );
    ended.catch(failed);
  });
}

/** A promise with functions that settle it. */
export class Gate {
  readonly opened: Promise<void>;
  #open: (() => void) | undefined;

  constructor() {
    this.opened = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  open(): void {
    this.#open?.();
  }
}

/** Returns whether a promise has settled after all pending work that needs no time. */
export async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const mark = (): void => {
    settled = true;
  };
  promise.then(mark, mark);
  await macrotasks(5);
  return settled;
}

/** Runs all pending work that waits only for its turn. */
export async function macrotasks(count = 1): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** A promise with the functions that settle it. */
export function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<T>((onValue, onReason) => {
    resolve = onValue;
    reject = onReason;
  });
  return { promise, resolve, reject };
}

/** A transaction whose work goes on until the gate is opened. */
export function held(page: Page, work: (transaction: Mutations) => Promise<void>) {
  const [begun, gate] = [new Gate(), new Gate()];
  const done = page.transaction(async (transaction) => {
    await work(transaction);
    begun.open();
    await gate.opened;
  });
  return { begun: begun.opened, gate, done };
}
