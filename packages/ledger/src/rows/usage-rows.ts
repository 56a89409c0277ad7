/** The rows of the usage database: when pages were used. */
import { ledgerNameBytes, ledgerNameOf } from "../ledger-name.js";
import { PAGE_ID_SIZE } from "../page-id.js";
import { bytesPart, type KeyPart } from "./key-template.js";
import { timestamp } from "./object-parts.js";
import { type AnyRow, Row } from "./row.js";

/** The name of a ledger. */
const ledgerPart: KeyPart<"ledger", string> = {
  name: "ledger",
  size: undefined,
  encode: ledgerNameBytes,
  decode: ledgerNameOf,
  toJson: (name) => name,
};

/**
 * `opened/` ‖ name of the ledger ‖ page id (16) → when the page was closed last (i64, nanoseconds, little-endian). 0
 * while it is open; some versions wrote the smallest i64 instead.
 */
export const openedRow = new Row(
  "opened",
  ["opened/", ledgerPart, bytesPart("page", PAGE_ID_SIZE)],
  timestamp,
  "a page on this device",
);

/** All kinds of rows of the usage database. */
export const usageRows: readonly AnyRow[] = [openedRow];
