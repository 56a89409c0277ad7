/** Names of ledgers and pages, and of their folders: base64url with padding. */
import { fromBase64url, toBase64url } from "../../bytes/base64url.js";
import { compareBytes } from "../../bytes/order.js";
import { MerostoreError } from "../../errors.js";
import { PAGE_ID_SIZE, pageIdBytes } from "../page-id.js";

/** The most bytes of a file name. */
const LONGEST_NAME = 255;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Returns the folder name of a ledger: `ledger` → `bGVkZ2Vy`.
 *
 * @throws MerostoreError INVALID_ARGUMENT for a name that is empty, no well-formed text or too long
 */
export function ledgerFolder(ledger: string): string {
  if (typeof ledger !== "string" || ledger === "" || /\p{Surrogate}/u.test(ledger))
    throw invalidName("must be a non-empty text");
  const folder = toBase64url(encoder.encode(ledger));
  if (folder.length > LONGEST_NAME) throw invalidName("must have at most 189 bytes in UTF-8");
  return folder;
}

/** Whether a name is valid for a ledger. */
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
  if (bytes === undefined || bytes.length === 0) return undefined;
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
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
  return compareBytes(encoder.encode(a), encoder.encode(b));
}

function invalidName(what: string): MerostoreError {
  return new MerostoreError("INVALID_ARGUMENT", `the name of a ledger ${what}`);
}
