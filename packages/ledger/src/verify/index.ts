/** Rules about the databases of a ledger, and the check of the usage database. */

import type { EngineReader } from "merostore/engine";
import { equalBytes, isMerostoreError, type RuleText, toHex } from "merostore/internal";
import type { Place } from "../places/browser.js";
import { openedRow } from "../rows/page-rows.js";
import { COLUMN } from "../rows/row.js";
import { type Finding, problem } from "./finding.js";

export { pageRules } from "./verify-page.js";

/** The rule about the usage database. */
export const usageRule: RuleText = {
  name: "usage",
  severity: "warning",
  says: "The usage database has a row for each page on this device, and for no other.",
  means: "The repository does not know when a page was used last, or remembers a page that is gone.",
  advice: "Nothing for a warning or an info. For an error, open and close the page: it writes the row again.",
};

const RULE = usageRule.name;

/**
 * Checks that each page on this device has a usage row, and each usage row a page. Violations are warnings: a crash may
 * leave them.
 */
export async function* verifyUsage(
  database: EngineReader,
  place: Pick<Place, "ledgers" | "pages">,
): AsyncGenerator<Finding, void, undefined> {
  const pages = new Map<string, readonly Uint8Array[]>();
  for (const ledger of await place.ledgers()) pages.set(ledger, await place.pages(ledger));
  for await (const stored of database.scan(COLUMN)) {
    const key = toHex(stored.key);
    const parts = openedRow.key.parse(stored.key);
    if (parts === undefined) {
      const message = "a row of no known kind: nothing reads it";
      yield { severity: "info", rule: RULE, kind: null, key, message };
      continue;
    }
    try {
      openedRow.decode(stored);
    } catch (error) {
      if (!isMerostoreError(error, "DATA_INTEGRITY_ERROR")) throw error;
      yield { severity: "error", rule: RULE, kind: openedRow.kind, key, message: error.message };
    }
    if (!pages.get(parts.ledger)?.some((page) => equalBytes(page, parts.page))) {
      const message = `this device does not have the page ${toHex(parts.page)}`;
      yield { severity: "warning", rule: RULE, kind: openedRow.kind, key, message };
    }
  }
  for (const [ledger, ids] of pages) {
    const there = await database.getMany(
      COLUMN,
      ids.map((page) => openedRow.key.encode({ ledger, page })),
    );
    for (const [at, page] of ids.entries()) {
      const message = "the page is on this device, and nothing says when it was used";
      if (there[at] === undefined)
        yield { rule: RULE, ...problem("warning", openedRow, { ledger, page }, message) };
    }
  }
}
