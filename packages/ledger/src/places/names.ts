/** Names of ledgers and pages, and of their folders: base64url with padding. */
import { compareBytes, fromBase64url, MerostoreError, toBase64url } from "merostore/internal";
import { invalidName, ledgerNameBytes, ledgerNameOf } from "../ledger-name.js";
import { PAGE_ID_SIZE, pageIdBytes, pageName } from "../page-id.js";

/** The version of the layout of rows and folders: the name of a folder. */
export const SERIALIZATION_VERSION = "35";

/** The most bytes of a file name. */
const LONGEST_NAME = 255;

/**
 * Returns the folder name of a ledger: `ledger` → `bGVkZ2Vy`.
 *
 * @throws MerostoreError INVALID_ARGUMENT for a name that is empty, too long, or not as {@link ledgerNameBytes} says
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
  try {
    return ledgerFolder(name) !== "";
  } catch {
    return false;
  }
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
  const message = `the ledger ${JSON.stringify(ledger)} has no page ${pageName(page)} on this device`;
  return new MerostoreError("PAGE_NOT_FOUND", message);
}

export function lockedPage(page: Uint8Array): MerostoreError {
  return new MerostoreError("DATABASE_LOCKED", `the page ${pageName(page)} is open: close it first`);
}
