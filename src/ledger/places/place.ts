/** Where the databases of a repository are: what ledgers ask for, wherever that is. */
import type { Engine } from "../../engine/engine.js";

/**
 * Opens, creates and removes the databases of one repository: one for each page, and one that says when pages were used.
 * Each of them has one holder at a time; opening it elsewhere meanwhile is DATABASE_LOCKED. The database of usage is the
 * lock of the whole: who creates or deletes pages has it open.
 *
 * Ledgers are named by non-empty UTF-8 text of at most 189 bytes, pages by ids of 16 bytes; everything else is
 * INVALID_ARGUMENT.
 */
export interface Place {
  /**
   * The database that says when pages were used; created when it is missing. What a creation or a deletion left that was
   * interrupted is removed with it.
   *
   * @throws MerostoreError NOT_A_DATABASE for a repository of another engine, and what engines throw at opening
   */
  openUsage(): Promise<Engine>;
  /** The ledgers that have pages on this device, by the bytes of their names. */
  ledgers(): Promise<string[]>;
  /** Ids of the pages of a ledger that are on this device, ascending. */
  pages(ledger: string): Promise<Uint8Array[]>;
  /**
   * A page's database. It is at its place only once it is complete.
   *
   * @returns undefined if there is none and it is not to be created
   * @throws MerostoreError NOT_A_DATABASE for a page of another engine, and what engines throw at opening
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
