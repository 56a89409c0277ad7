/** Page ids: 16 bytes, random for new pages. */
import { copyBytes, fromHex, invalidArgument, isBytes } from "merostore/internal";

/** Bytes of a page id. */
export const PAGE_ID_SIZE = 16;

/** The id of the root page that every ledger has: 16 zero bytes. */
export const ROOT_PAGE_ID: Uint8Array = new Uint8Array(PAGE_ID_SIZE);

/** A page id, or its 32 hex digits. */
export type PageId = Uint8Array | string;

/** Returns a copy of the bytes of a page id. @throws MerostoreError INVALID_ARGUMENT */
export function pageIdBytes(id: PageId): Uint8Array {
  const bytes = typeof id === "string" && /^(?:[0-9a-f]{2})*$/i.test(id) ? fromHex(id) : id;
  if (isBytes(bytes) && bytes.length === PAGE_ID_SIZE) return copyBytes(bytes);
  throw invalidArgument(`a page id is ${PAGE_ID_SIZE} bytes or their hex digits`);
}

/** Makes the id of a new page. */
export function randomPageId(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(PAGE_ID_SIZE));
}
