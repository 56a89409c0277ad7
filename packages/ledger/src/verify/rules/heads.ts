/** Heads. */
import { isMerostoreError, toHex } from "merostore/internal";
import { commitRow, headRow } from "../../rows/page-rows.js";
import { isFirst } from "../../storage/commit.js";
import { type PageRule, type Problem, problem, RESTORE } from "../finding.js";

export const heads: PageRule = {
  name: "heads",
  severity: "error",
  says: "A page has a head, and every head a commit with the same time.",
  means: "The page does not know its newest state, and may show an old one or fail to open.",
  advice: RESTORE,
  async *check(page) {
    let found = 0;
    for await (const rows of page.batches(headRow.range()))
      for (const stored of rows) {
        const parts = headRow.key.parse(stored.key);
        if (parts === undefined) continue;
        found++;
        page.count(1);
        const commit = await page.commit(parts.commit);
        const said = (message: string): Problem => problem("error", headRow, parts, message);
        if (commit === undefined) yield said("its commit is not there");
        else if (commit !== "damaged" && timeOf(stored) !== commit.timestamp)
          yield said("its commit has another time");
        if (isFirst(parts.commit) && (await page.any(commitRow.range())))
          yield said("the state before the first commit is a head, and there are commits");
      }
    // One without rows was made and not used yet.
    if (found === 0 && (await page.any({})))
      yield { severity: "error", kind: headRow.kind, key: HEADS, message: "the page has no head" };
  },
};

const HEADS = toHex(headRow.key.prefix({}));

function timeOf(stored: { readonly key: Uint8Array; readonly value: Uint8Array }): bigint | undefined {
  try {
    return headRow.decode(stored);
  } catch (error) {
    if (isMerostoreError(error, "DATA_INTEGRITY_ERROR")) return undefined;
    throw error;
  }
}
