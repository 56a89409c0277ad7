/** When pages were used: one row for each page on this device. */
import { copyBytes } from "../../bytes/bytes.js";
import { compareBytes } from "../../bytes/order.js";
import { SerialQueue } from "../../collections/serial-queue.js";
import type { Engine, EngineReader, WriteOperation, WriteOptions } from "../../engine/engine.js";
import { isMerostoreError } from "../../errors.js";
import { pageName } from "../page-id.js";
import { compareLedgers, isLedger } from "../places/index.js";
import { COLUMN } from "../rows/row.js";
import { type Clock, systemClock } from "../rows/timestamp.js";
import { openedRow } from "../rows/usage-rows.js";

/** A page on this device. */
export interface UsedPage {
  readonly ledger: string;
  readonly page: Uint8Array;
  /** When it was closed last, in nanoseconds since the Unix epoch, UTC; undefined while it is open. */
  readonly closedAt: bigint | undefined;
}

/** A damaged row: nothing is known about when its page was used. */
export interface DamagedUsage {
  readonly ledger: string;
  readonly page: Uint8Array;
  /** The error, without its code. */
  readonly message: string;
}

/** All rows of the database. */
export interface StoredUsage {
  readonly pages: readonly UsedPage[];
  readonly damaged: readonly DamagedUsage[];
}

/** Told that a page is being opened, before anything else is done about it. */
export type OpeningListener = (ledger: string, page: Uint8Array) => void;

/** The value of a row whose page is open, and what some versions wrote instead: the least i64. */
const OPEN = 0n;
const ALSO_OPEN = -(2n ** 63n);

/**
 * Marks of when pages were opened and closed, in the order of the calls. A mark of opening survives a power failure; where
 * the marks of closing after it do not, the page counts as closed when the database is opened next.
 */
export class PageUsage {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #turns = new SerialQueue();
  readonly #open = new Set<string>();
  readonly #listeners = new Set<OpeningListener>();

  private constructor(engine: Engine, clock: Clock) {
    this.#engine = engine;
    this.#clock = clock;
  }

  /**
   * The usage in a database, which it closes with itself, or when this fails. Pages that are marked open count as closed
   * now: the process that had them open has ended. Pages whose rows are damaged count as closed now too.
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

  /** Whether a page was marked as open here, and not as closed since. */
  isOpen(ledger: string, page: Uint8Array): boolean {
    return this.#open.has(nameOf(ledger, page));
  }

  /** @returns ends it */
  onOpening(listener: OpeningListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Marks a page as open, and tells the listeners at once: to be called first of all when a page gets its first user. A page
   * that then cannot be opened is to be marked as closed.
   */
  markOpened(ledger: string, page: Uint8Array): Promise<void> {
    const row = openedRow.put({ ledger, page }, OPEN);
    this.#open.add(nameOf(ledger, page));
    for (const listener of this.#listeners) listener(ledger, page);
    return this.#inTurn(row, { sync: true });
  }

  /** Marks a page as closed at the time of this call: when its last user has gone. */
  markClosed(ledger: string, page: Uint8Array): Promise<void> {
    const row = openedRow.put({ ledger, page }, this.#clock());
    this.#open.delete(nameOf(ledger, page));
    return this.#inTurn(row);
  }

  /** Removes the row of a page that is on this device no more. */
  remove(ledger: string, page: Uint8Array): Promise<void> {
    const row = openedRow.delete({ ledger, page });
    this.#open.delete(nameOf(ledger, page));
    return this.#inTurn(row);
  }

  /**
   * All pages, as the calls before this one left them: those that are closed, the least recently used one first, then those
   * that are open; equal ones by the name of the ledger and the id of the page. Pages whose rows are damaged are left out.
   */
  pages(): Promise<UsedPage[]> {
    return this.#turns.run(async () => [...(await readUsage(this.#engine)).pages].sort(byUse));
  }

  /** Waits for the marks, then closes the database. */
  async close(): Promise<void> {
    await this.#turns.idle();
    await this.#engine.close();
  }

  #inTurn(row: WriteOperation, options?: WriteOptions): Promise<void> {
    return this.#turns.run(() => this.#engine.write([row], options));
  }
}

/** Reads when pages were used, in the order of the rows. Skips rows whose keys do not name a page of a ledger. */
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
  return `${pageName(page)}${ledger}`;
}

function byUse(a: UsedPage, b: UsedPage): number {
  const [first, second] = [a.closedAt, b.closedAt];
  if (first !== second) {
    if (first === undefined) return 1;
    return second === undefined || first < second ? -1 : 1;
  }
  return compareLedgers(a.ledger, b.ledger) || compareBytes(a.page, b.page);
}
