/** Errors that all places throw. */
import { MerostoreError } from "merostore/internal";
import { pageName } from "../page-id.js";

export function pageNotFound(ledger: string, page: Uint8Array): MerostoreError {
  const message = `the ledger ${JSON.stringify(ledger)} has no page ${pageName(page)} on this device`;
  return new MerostoreError("PAGE_NOT_FOUND", message);
}

export function lockedPage(page: Uint8Array): MerostoreError {
  return new MerostoreError("DATABASE_LOCKED", `the page ${pageName(page)} is open: close it first`);
}
