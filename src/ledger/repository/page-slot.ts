/** A page of a repository that is in use in this process, or may come to be: opened once for all who use it. */

import { SerialQueue } from "../../collections/serial-queue.js";
import type { Page } from "../page/page.js";
import type { PageManager } from "./page-manager.js";

/** What happens to a page as its users come and go. */
export interface SlotActions {
  /** Told at once when the first user comes; nobody has the page before it has settled. */
  onFirstUser(): Promise<void>;
  /** @returns undefined if there is no such page, and it is not to be created */
  open(create: boolean): Promise<PageManager | undefined>;
  close(manager: PageManager): Promise<void>;
  /** Told when the last user has gone. */
  onLastUser(): Promise<void>;
  /** Told instead when there was no page for those who came. */
  onNoPage(): Promise<void>;
}

export class PageSlot {
  readonly #actions: SlotActions;
  /** Opening, closing and removing, one after another. */
  readonly #turns = new SerialQueue();
  #manager: PageManager | undefined;
  /** Those who wait for the page to be opened. */
  #coming = 0;

  constructor(actions: SlotActions) {
    this.#actions = actions;
  }

  /** A new connection. */
  async connect(create: boolean): Promise<Page | undefined> {
    const isFirst = this.#coming++ === 0 && this.#manager === undefined;
    const told = isFirst ? this.#actions.onFirstUser() : Promise.resolve();
    let isMissing = false;
    try {
      const [page] = await Promise.all([
        this.#turns.run(async () => {
          await told;
          this.#manager ??= await this.#actions.open(create);
          isMissing = this.#manager === undefined;
          return this.#manager?.connect();
        }),
        told, // whose failure is seen even while others have their turn
      ]);
      return page;
    } catch (error) {
      // Where only the connection has failed, nobody else would close the page. The first failure says more.
      await this.closeUnused().catch(() => undefined);
      throw error;
    } finally {
      this.#coming--;
      if (this.#manager === undefined && this.#coming === 0)
        await (isMissing ? this.#actions.onNoPage() : this.#actions.onLastUser());
    }
  }

  /** Closes the page if nobody uses it. */
  closeUnused(): Promise<void> {
    return this.#turns.run(async () => {
      if (this.#manager === undefined || this.#manager.isUsed) return;
      const manager = this.#manager;
      this.#manager = undefined;
      try {
        await this.#actions.close(manager);
      } finally {
        if (this.#coming === 0) await this.#actions.onLastUser();
      }
    });
  }

  /** Runs work while the page is closed, and keeps it so meanwhile; undefined if it is in use. */
  whileClosed<T>(work: () => Promise<T>): Promise<T | undefined> {
    return this.#turns.run(async () => (this.#manager === undefined ? work() : undefined));
  }

  /** Ends all use of the page. */
  async close(): Promise<void> {
    await this.#turns.idle();
    await this.#manager?.close();
    await this.#turns.idle();
  }
}
