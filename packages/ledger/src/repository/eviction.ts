/** Eviction: removes closed pages from this device, the least recently used page first. */
import { equalBytes, undefinedIf } from "merostore/internal";
import type { PageState } from "../storage/page-state.js";
import type { PageUsage } from "./page-usage.js";

/** The pages that can be evicted. */
export interface EvictablePages {
  /**
   * Reads the state of a page. Does not mark the page as used.
   *
   * @throws MerostoreError PAGE_NOT_FOUND
   */
  state(ledger: string, page: Uint8Array): Promise<PageState>;
  /**
   * Removes a page's database. Opening the page must wait until this settles. The caller has just checked
   * {@link PageUsage.isOpen}.
   *
   * @throws MerostoreError PAGE_NOT_FOUND
   */
  delete(ledger: string, page: Uint8Array): Promise<void>;
}

/**
 * When a closed page is evicted: `if-possible` if all of it is in the cloud, or if it is empty and was never in the
 * cloud; `if-empty` in the second case only.
 */
export type EvictionCondition = "if-possible" | "if-empty";

/** The error for a page that is not on this device. */
const MISSING = "PAGE_NOT_FOUND";

/** Evicts the pages of one repository. */
export class Eviction {
  readonly #usage: PageUsage;
  readonly #pages: EvictablePages;
  #cleaning: Promise<boolean> | undefined;

  constructor(usage: PageUsage, pages: EvictablePages) {
    this.#usage = usage;
    this.#pages = pages;
  }

  /**
   * Evicts the least recently used page that can be evicted, if there is one. A call during another call has the same
   * result. An error ends the search.
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
   * Evicts a page if the condition holds and the page was not open while its state was read. Removes the usage row of a
   * page that is not on this device.
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
      const state = await undefinedIf(this.#pages.state(ledger, page), MISSING);
      if (opened || (state !== undefined && !isEvictable(state, condition))) return false;
      const evicted =
        state !== undefined && (await undefinedIf(this.#delete(ledger, page), MISSING)) === true;
      // A page that was opened during the deletion is a new one, and so is its row.
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
