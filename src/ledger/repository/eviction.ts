/** Removing local copies of pages that nobody uses: the least recently used one first. */
import { equalBytes } from "../../bytes/order.js";
import { isMerostoreError } from "../../errors.js";
import type { PageState } from "../storage/page-state.js";
import type { PageUsage } from "./page-usage.js";

/** The pages that eviction is about. */
export interface EvictablePages {
  /**
   * The state of a page that had no user when it was asked for. Looking is no use: it marks nothing.
   *
   * @throws MerostoreError PAGE_NOT_FOUND
   */
  state(ledger: string, page: Uint8Array): Promise<PageState>;
  /**
   * Removes a page's database. From this call on until it settles whoever opens the page must be made to wait; the caller
   * has seen in the same moment that nobody has it open, going by what {@link PageUsage.markOpened} was told.
   *
   * @throws MerostoreError PAGE_NOT_FOUND
   */
  delete(ledger: string, page: Uint8Array): Promise<void>;
}

/**
 * When a closed page is evicted: `if-possible` when nothing is lost by it, because everything is in the cloud, or nothing
 * ever was there and there are no entries; `if-empty` in the second case only.
 */
export type EvictionCondition = "if-possible" | "if-empty";

/** Evicts pages of one repository. */
export class Eviction {
  readonly #usage: PageUsage;
  readonly #pages: EvictablePages;
  #cleaning: Promise<boolean> | undefined;

  constructor(usage: PageUsage, pages: EvictablePages) {
    this.#usage = usage;
    this.#pages = pages;
  }

  /**
   * Evicts the least recently used page that can be evicted: one, or none. Asked for while it goes on, it is the same one.
   * An error ends it.
   *
   * @returns whether a page was evicted
   */
  cleanUp(): Promise<boolean> {
    this.#cleaning ??= this.#cleanUp().finally(() => {
      this.#cleaning = undefined;
    });
    return this.#cleaning;
  }

  /**
   * Evicts a page if nobody has it open, nor had it open for a moment while its state was looked at, and the condition
   * holds. The row of a page that is not on this device is removed.
   *
   * @returns whether it was evicted
   */
  async tryEvict(ledger: string, page: Uint8Array, condition: EvictionCondition): Promise<boolean> {
    if (this.#usage.isOpen(ledger, page)) return false;
    let opened = false;
    const stop = this.#usage.onOpening((otherLedger, other) => {
      if (otherLedger === ledger && equalBytes(other, page)) opened = true;
    });
    try {
      const state = await present(this.#pages.state(ledger, page));
      if (opened || (state !== undefined && !isEvictable(state, condition))) return false;
      const evicted = state !== undefined && (await present(this.#delete(ledger, page))) === true;
      // Whoever opened it during the deletion has a new page, and its row.
      if (!opened) await this.#usage.remove(ledger, page);
      return evicted;
    } finally {
      stop();
    }
  }

  async #cleanUp(): Promise<boolean> {
    for (const { ledger, page, closedAt } of await this.#usage.pages()) {
      if (closedAt === undefined) break;
      if (await this.tryEvict(ledger, page, "if-possible")) return true;
    }
    return false;
  }

  async #delete(ledger: string, page: Uint8Array): Promise<true> {
    await this.#pages.delete(ledger, page);
    return true;
  }
}

function isEvictable({ synced, online, empty }: PageState, condition: EvictionCondition): boolean {
  return (condition === "if-possible" && synced) || (!online && empty);
}

/** What a page gives; undefined if it is not on this device. */
async function present<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (isMerostoreError(error, "PAGE_NOT_FOUND")) return undefined;
    throw error;
  }
}
