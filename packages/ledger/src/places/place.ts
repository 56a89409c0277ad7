/** Places: the locations of the databases of a repository. The names of their folders are base64url with padding. */
import type { Engine } from "merostore/engine";
import {
  compareBytes,
  fromBase64url,
  MerostoreError,
  orUndefined,
  toBase64url,
  toHex,
} from "merostore/internal";
import { invalidName, ledgerNameBytes, ledgerNameOf } from "../ledger-name.js";
import { PAGE_ID_SIZE, pageIdBytes } from "../page-id.js";

/**
 * Opens, creates and removes the databases of one repository: one for each page, and the usage database with the times
 * when pages were used. Each database can be open once; opening it again throws DATABASE_LOCKED. The usage database is
 * the lock of the repository: it must be open while pages are created or deleted.
 *
 * The name of a ledger is a text of 1 to 189 bytes, see {@link ledgerNameBytes}; the id of a page has 16 bytes.
 * Anything else throws INVALID_ARGUMENT.
 */
export interface Place {
  /**
   * Opens the usage database, and creates it if it is missing. Removes the files of interrupted creations and
   * deletions.
   *
   * @throws MerostoreError NOT_A_DATABASE for a repository of another engine, and the errors of opening an engine
   */
  openUsage(): Promise<Engine>;
  /**
   * Settles when nobody else has the repository open. A place with this method waits for the repository instead of
   * throwing DATABASE_LOCKED.
   */
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

/** The version of the layout of rows and folders: the name of a folder. */
export const SERIALIZATION_VERSION = "35";

/** The most bytes of a file name. */
const LONGEST_NAME = 255;

/**
 * Returns the folder name of a ledger: `ledger` → `bGVkZ2Vy`.
 *
 * @throws MerostoreError INVALID_ARGUMENT for a name that is empty, too long, or that {@link ledgerNameBytes} refuses
 */
export function ledgerFolder(ledger: string): string {
  const bytes = ledgerNameBytes(ledger);
  if (bytes.length === 0) throw invalidName("must be a non-empty text or bytes");
  const folder = toBase64url(bytes);
  if (folder.length > LONGEST_NAME) throw invalidName("must have at most 189 bytes");
  return folder;
}

/** Returns whether a name is valid for a ledger. */
export function isLedger(name: string): boolean {
  return orUndefined(() => ledgerFolder(name)) !== undefined;
}

/** Returns the ledger of a folder name; undefined if it is not one of a ledger. */
export function ledgerOf(folder: string): string | undefined {
  const bytes = fromBase64url(folder);
  return bytes === undefined || bytes.length === 0 ? undefined : ledgerNameOf(bytes);
}

/**
 * Returns the folder name of a page: 24 characters.
 *
 * @throws MerostoreError INVALID_ARGUMENT
 */
export function pageFolder(page: Uint8Array): string {
  return toBase64url(pageIdBytes(page));
}

/** Returns the page id of a folder name; undefined if it is not one of a page. */
export function pageOf(folder: string): Uint8Array | undefined {
  const bytes = fromBase64url(folder);
  return bytes?.length === PAGE_ID_SIZE ? bytes : undefined;
}

/** Compares names of ledgers by their bytes. */
export function compareLedgers(a: string, b: string): number {
  return compareBytes(ledgerNameBytes(a), ledgerNameBytes(b));
}

export function pageNotFound(ledger: string, page: Uint8Array): MerostoreError {
  const message = `the ledger ${JSON.stringify(ledger)} has no page ${toHex(page)} on this device`;
  return new MerostoreError("PAGE_NOT_FOUND", message);
}

export function lockedPage(page: Uint8Array): MerostoreError {
  return new MerostoreError("DATABASE_LOCKED", `the page ${toHex(page)} is open: close it first`);
}
