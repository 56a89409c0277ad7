/** Places: where the databases of a repository are. */
import type { Engine } from "merostore/engine";

/**
 * Opens, creates and removes the databases of one repository: one for each page, and the usage database with the times when
 * pages were used. Each database can be open once; opening it again throws DATABASE_LOCKED. The usage database is the lock of
 * the repository: it must be open while pages are created or deleted.
 *
 * The name of a ledger is a text of 1 to 189 bytes, see {@link ledgerNameBytes}; the id of a page has 16 bytes. Anything else
 * throws INVALID_ARGUMENT.
 */
export interface Place {
  /**
   * Opens the usage database, and creates it if it is missing. Removes the files of interrupted creations and deletions.
   *
   * @throws MerostoreError NOT_A_DATABASE for a repository of another engine, and the errors of opening an engine
   */
  openUsage(): Promise<Engine>;
  /** Settles when nobody else has the repository open. A place with it waits rather than to be refused. */
  readonly untilFree?: (() => Promise<void>) | undefined;
  /** Returns the ledgers that have pages on this device, in the order of the bytes of their names. */
  ledgers(): Promise<string[]>;
  /** Returns the ids of the pages of a ledger that are on this device, ascending. */
  pages(ledger: string): Promise<Uint8Array[]>;
  /**
   * Opens a page's database, or creates it. A database that is not completely created does not count.
   *
   * @returns undefined if there is no such page and `create` is false
   * @throws MerostoreError NOT_A_DATABASE for a page of another engine, and the errors of opening an engine
   */
  openPage(
    ledger: string,
    page: Uint8Array,
    options: { readonly create: boolean },
  ): Promise<Engine | undefined>;
  /**
   * Removes a page's database from this device, damaged or not.
   *
   * @throws MerostoreError PAGE_NOT_FOUND; DATABASE_LOCKED while it is open
   */
  deletePage(ledger: string, page: Uint8Array): Promise<void>;
}
