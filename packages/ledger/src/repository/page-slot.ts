/** The slot of a page in a repository: opens the page for its first user, and closes it after its last user. */

import { isMerostoreError, SerialQueue } from "merostore/internal";
import type { PageSettings } from "../page/connection.js";
import type { Page } from "../page/page.js";
import type { PageManager } from "./page-manager.js";
import type { PageUsage } from "./page-usage.js";

/** Opens the page; undefined if there is no such page and `create` is false. */
export type OpenPage = (create: boolean) => Promise<PageManager | undefined>;

export class PageSlot {
  readonly #usage: PageUsage;
  readonly #ledger: string;
  readonly #page: Uint8Array;
  readonly #open: OpenPage;
  /** Opening, closing and removing, one after another. */
  readonly #queue = new SerialQueue();
  #manager: PageManager | undefined;
  /** The number of connections that are being opened. */
  #connecting = 0;

  constructor(usage: PageUsage, ledger: string, page: Uint8Array, open: OpenPage) {
    this.#usage = usage;
    this.#ledger = ledger;
    this.#page = page;
    this.#open = open;
  }

  /** Opens a connection; undefined if there is no such page and `create` is false. */
  async connect(
    create: boolean,
    settings: PageSettings<unknown, unknown>,
  ): Promise<Page<unknown, unknown> | undefined> {
    const isFirst = this.#connecting++ === 0 && this.#manager === undefined;
    const marked = isFirst ? this.#usage.markOpened(this.#ledger, this.#page) : Promise.resolve();
    let isMissing = false;
    try {
      const [page] = await Promise.all([
        this.#queue.run(async () => {
          await marked;
          this.#manager ??= await this.#open(create);
          isMissing = this.#manager === undefined;
          return this.#manager?.connect(settings);
        }),
        marked, // rejects even while others are in the queue
      ]);
      return page;
    } catch (error) {
      // If only the connection has failed, nobody else would close the page. The first error is reported.
      await this.closeUnused().catch(() => undefined);
      throw error;
    } finally {
      this.#connecting--;
      if (this.#manager === undefined && this.#connecting === 0)
        await (isMissing ? this.#usage.remove(this.#ledger, this.#page) : this.#markClosed());
    }
  }

  /** Closes the page if it has no user. */
  closeUnused(): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#manager === undefined || this.#manager.isUsed) return;
      const manager = this.#manager;
      this.#manager = undefined;
      try {
        await manager.end();
      } finally {
        if (this.#connecting === 0) await this.#markClosed();
      }
    });
  }

  /** Runs work while the page is closed, and keeps it closed meanwhile. Returns undefined if the page is in use. */
  whileClosed<T>(work: () => Promise<T>): Promise<T | undefined> {
    return this.#queue.run(async () => (this.#manager === undefined ? work() : undefined));
  }

  /** Closes all connections and snapshots, and the page. */
  async close(): Promise<void> {
    await this.#queue.idle();
    try {
      await this.#manager?.close();
    } finally {
      await this.#queue.idle();
    }
  }

  #markClosed(): Promise<void> {
    return unlessFull(this.#usage.markClosed(this.#ledger, this.#page));
  }
}

/** A full disk keeps no page from closing: the next opening of the repository makes up for the lost write. */
export async function unlessFull(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    // Native packages tell it in their text alone.
    const isFull =
      error instanceof Error && /no space left|quota exceeded|file too large/i.test(error.message);
    if (!isFull || !isMerostoreError(error, "ENGINE_FAILED")) throw error;
  }
}
