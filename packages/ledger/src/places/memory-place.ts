/** A repository in memory, for tests and temporary data. */

import type { Engine } from "merostore/engine";
import { compareBytes, MemoryDatabase } from "merostore/internal";
import {
  compareLedgers,
  ledgerFolder,
  ledgerOf,
  lockedPage,
  type Place,
  pageFolder,
  pageNotFound,
  pageOf,
} from "./place.js";

/** Returns a repository in memory. Its databases can be closed and opened again, as long as the place exists. */
export function memoryPlace(): Place {
  return new MemoryPlace();
}

class MemoryPlace implements Place {
  readonly #usage = newDatabase();
  /** Folder of the ledger → folder of the page → its database. */
  readonly #ledgers = new Map<string, Map<string, MemoryDatabase>>();

  async openUsage(): Promise<Engine> {
    return this.#usage.open();
  }

  async ledgers(): Promise<string[]> {
    return [...this.#ledgers.keys()].map((folder) => ledgerOf(folder) as string).sort(compareLedgers);
  }

  async pages(ledger: string): Promise<Uint8Array[]> {
    const pages = this.#ledgers.get(ledgerFolder(ledger)) ?? new Map<string, MemoryDatabase>();
    return [...pages.keys()].map((folder) => pageOf(folder) as Uint8Array).sort(compareBytes);
  }

  async openPage(
    ledger: string,
    page: Uint8Array,
    { create }: { readonly create: boolean },
  ): Promise<Engine | undefined> {
    const folder = ledgerFolder(ledger);
    const name = pageFolder(page);
    const pages = this.#ledgers.get(folder) ?? new Map<string, MemoryDatabase>();
    const found = pages.get(name);
    if (found?.isOpen) throw lockedPage(page);
    if (found !== undefined || !create) return found?.open();
    const made = newDatabase();
    this.#ledgers.set(folder, pages.set(name, made));
    return made.open();
  }

  async deletePage(ledger: string, page: Uint8Array): Promise<void> {
    const folder = ledgerFolder(ledger);
    const name = pageFolder(page);
    const pages = this.#ledgers.get(folder);
    const found = pages?.get(name);
    if (pages === undefined || found === undefined) throw pageNotFound(ledger, page);
    if (found.isOpen) throw lockedPage(page);
    pages.delete(name);
    if (pages.size === 0) this.#ledgers.delete(folder);
  }
}

function newDatabase(): MemoryDatabase {
  return new MemoryDatabase({ columns: [] });
}
