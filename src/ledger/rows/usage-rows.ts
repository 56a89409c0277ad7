/** The rows of the usage database: when pages were used. */
import { PAGE_ID_SIZE } from "../page-id.js";
import { bytesPart, textPart } from "./key-template.js";
import { type AnyRow, Row } from "./row.js";
import { timestamp } from "./timestamp.js";

/**
 * `opened/` ‖ name of the ledger ‖ page id (16) → when the page was closed last (i64, nanoseconds, little-endian). 0
 * while it is open; some versions wrote the smallest i64 instead.
 */
export const openedRow = new Row(
  "opened",
  ["opened/", textPart("ledger"), bytesPart("page", PAGE_ID_SIZE)],
  timestamp,
  "a page on this device",
);

/** All kinds of rows of the usage database. */
export const usageRows: readonly AnyRow[] = [openedRow];
