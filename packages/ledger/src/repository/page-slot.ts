/** The slot of a page in a repository: opens the page for its first user, and closes it after its last user. */

import { SerialQueue } from "merostore/internal";
import type { PageSettings } from "../page/connection.js";
import type { Page } from "../page/page.js";
import type { PageManager } from "./page-manager.js";

/** The actions of a {@link PageSlot}. */
export interface SlotActions {
  /** Called at once for the first user. The page is opened after this has settled. */
  onFirstUser(): Promise<void>;
  /** @returns undefined if there is no such page and `create` is false */
  open(create: boolean): Promise<PageManager | undefined>;
  close(manager: PageManager): Promise<void>;
  /** Called after the last user has closed the page. */
  onLastUser(): Promise<void>;
  /** Called instead of `onLastUser` if there was no page. */
  onNoPage(): Promise<void>;
}

export class PageSlot {
  readonly #actions: SlotActions;
  /** Opening, closing and removing, one after another. */
  readonly #queue = new SerialQueue();
  #manager: PageManager | undefined;
  /** The number of connections that are being opened. */
  #connecting = 0;

  constructor(actions: SlotActions) {
    this.#actions = actions;
  }

  /** Opens a connection; undefined if there is no such page and `create` is false. */
  async connect(
    create: boolean,
    settings: PageSettings<unknown, unknown>,
  ): Promise<Page<unknown, unknown> | undefined> {
    const isFirst = this.#connecting++ === 0 && this.#manager === undefined;
    const marked = isFirst ? this.#actions.onFirstUser() : Promise.resolve();
    let isMissing = false;
    try {
      const [page] = await Promise.all([
        this.#queue.run(async () => {
          await marked;
          this.#manager ??= await this.#actions.open(create);
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
        await (isMissing ? this.#actions.onNoPage() : this.#actions.onLastUser());
    }
  }

  /** Closes the page if it has no user. */
  closeUnused(): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#manager === undefined || this.#manager.isUsed) return;
      const manager = this.#manager;
      this.#manager = undefined;
      try {
        await this.#actions.close(manager);
      } finally {
        if (this.#connecting === 0) await this.#actions.onLastUser();
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
}
