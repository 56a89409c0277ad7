/** Stores when each page on this device was used. */

import type { Engine, EngineReader, WriteOperation, WriteOptions } from "merostore/engine";
import { compareBytes, copyBytes, isMerostoreError, SerialQueue, toHex } from "merostore/internal";
import { compareLedgers, isLedger } from "../places/browser.js";
import { type Clock, systemClock } from "../rows/object-parts.js";
import { openedRow } from "../rows/page-rows.js";
import { COLUMN } from "../rows/row.js";

/** A page on this device. */
export interface UsedPage {
  readonly ledger: string;
  readonly page: Uint8Array;
  /** When it was closed last, in nanoseconds since the Unix epoch, UTC; undefined while it is open. */
  readonly closedAt: bigint | undefined;
}

/** A page whose usage row is damaged. */
export interface DamagedUsage {
  readonly ledger: string;
  readonly page: Uint8Array;
  /** The message of the error. */
  readonly message: string;
}

/** The rows of the database. */
export interface StoredUsage {
  readonly pages: readonly UsedPage[];
  readonly damaged: readonly DamagedUsage[];
}

/** Called when a page is about to be opened. */
export type OpeningListener = (ledger: string, page: Uint8Array) => void;

/** The value of the row of an open page, and the value that some versions wrote instead: the smallest i64. */
const OPEN = 0n;
const ALSO_OPEN = -(2n ** 63n);

/**
 * Marks pages as open and closed, in the order of the calls. Marks as open are synced. If a mark as closed is lost in a
 * power failure, the page counts as closed at the next opening of the database.
 */
export class PageUsage {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #queue = new SerialQueue();
  readonly #open = new Set<string>();
  readonly #listeners = new Set<OpeningListener>();

  private constructor(engine: Engine, clock: Clock) {
    this.#engine = engine;
    this.#clock = clock;
  }

  /**
   * Opens the usage in a database, and takes over the database: it is closed with the usage, and if this fails. Marks
   * pages that are still open as closed now, because the process that had them open has ended; likewise pages with
   * damaged rows.
   */
  static async open(engine: Engine, clock: Clock = systemClock): Promise<PageUsage> {
    const usage = new PageUsage(engine, clock);
    try {
      const now = clock();
      const { pages, damaged } = await readUsage(engine);
      const left = [...pages.filter(({ closedAt }) => closedAt === undefined), ...damaged];
      if (left.length > 0) await engine.write(left.map((page) => openedRow.put(page, now)));
    } catch (error) {
      await engine.close();
      throw error;
    }
    return usage;
  }

  /** Returns whether a page is marked as open by this process. */
  isOpen(ledger: string, page: Uint8Array): boolean {
    return this.#open.has(nameOf(ledger, page));
  }

  /**
   * Calls a listener before a page is opened.
   * @returns removes the listener
   */
  onOpening(listener: OpeningListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Marks a page as open and calls the listeners at once. Must be called before the page is opened for its first user.
   * If opening fails, the page must be marked as closed.
   */
  markOpened(ledger: string, page: Uint8Array): Promise<void> {
    const row = openedRow.put({ ledger, page }, OPEN);
    this.#open.add(nameOf(ledger, page));
    for (const listener of this.#listeners) listener(ledger, page);
    return this.#write(row, { sync: true });
  }

  /** Marks a page as closed now, after its last user has closed it. */
  markClosed(ledger: string, page: Uint8Array): Promise<void> {
    const row = openedRow.put({ ledger, page }, this.#clock());
    this.#open.delete(nameOf(ledger, page));
    return this.#write(row);
  }

  /** Removes the row of a page that is no longer on this device. */
  remove(ledger: string, page: Uint8Array): Promise<void> {
    const row = openedRow.delete({ ledger, page });
    this.#open.delete(nameOf(ledger, page));
    return this.#write(row);
  }

  /**
   * Returns all pages after the earlier calls: first the closed pages, the least recently used first, then the open
   * pages; equal ones by the name of the ledger and the id of the page. Leaves out pages with damaged rows.
   */
  pages(): Promise<UsedPage[]> {
    return this.#queue.run(async () => [...(await readUsage(this.#engine)).pages].sort(byUse));
  }

  /** Waits for the marks, then closes the database. */
  async close(): Promise<void> {
    await this.#queue.idle();
    await this.#engine.close();
  }

  #write(row: WriteOperation, options?: WriteOptions): Promise<void> {
    return this.#queue.run(() => this.#engine.write([row], options));
  }
}

/** Reads when pages were used, in the order of the rows. Skips rows whose keys name no page. */
export async function readUsage(engine: EngineReader): Promise<StoredUsage> {
  const pages: UsedPage[] = [];
  const damaged: DamagedUsage[] = [];
  for await (const row of engine.scan(COLUMN, openedRow.range())) {
    const parts = openedRow.key.parse(row.key);
    if (parts === undefined || !isLedger(parts.ledger)) continue;
    const { ledger } = parts;
    const page = copyBytes(parts.page);
    try {
      const time = openedRow.decode(row);
      const isOpen = time === OPEN || time === ALSO_OPEN;
      pages.push({ ledger, page, closedAt: isOpen ? undefined : time });
    } catch (error) {
      if (!isMerostoreError(error, "DATA_INTEGRITY_ERROR")) throw error;
      damaged.push({ ledger, page, message: error.message });
    }
  }
  return { pages, damaged };
}

function nameOf(ledger: string, page: Uint8Array): string {
  return `${toHex(page)}${ledger}`;
}

function byUse(a: UsedPage, b: UsedPage): number {
  const [first, second] = [a.closedAt, b.closedAt];
  if (first !== second) {
    if (first === undefined) return 1;
    return second === undefined || first < second ? -1 : 1;
  }
  return compareLedgers(a.ledger, b.ledger) || compareBytes(a.page, b.page);
}
