/** Rows of merges. */
import { compareBytes, equalBytes } from "merostore/internal";
import { mergeRow } from "../../rows/page-rows.js";
import type { Commit } from "../../storage/commit.js";
import { type PageRule, problem, RESTORE } from "../finding.js";

export const merges: PageRule = {
  name: "merges",
  severity: "error",
  says: "The rows of merges are exactly those of the commits with two parents.",
  means: "The page may merge the same two states again.",
  advice: RESTORE,
  async *check(page) {
    let expected = 0;
    for await (const batch of page.commits()) {
      const wanted = batch.flatMap(mergeOf);
      const there = await page.present(wanted.map((parts) => mergeRow.key.encode(parts)));
      expected += there.filter(Boolean).length;
      page.count(wanted.length);
      for (const [at, parts] of wanted.entries())
        if (!there[at])
          yield problem("error", mergeRow, parts, "a commit merges these two, and its row is missing");
    }
    let stored = 0;
    for await (const rows of page.batches(mergeRow.range(), true))
      stored += rows.filter(({ key }) => mergeRow.key.parse(key) !== undefined).length;
    if (stored === expected) return;
    for await (const rows of page.batches(mergeRow.range(), true))
      for (const { key } of rows) {
        const parts = mergeRow.key.parse(key);
        const commit = parts && (await page.commit(parts.commit));
        if (parts === undefined || commit === "damaged") continue;
        if (commit === undefined)
          yield problem("error", mergeRow, parts, "the commit that merges is not there");
        else if (
          !mergeOf(commit).some(
            ({ left, right }) => equalBytes(left, parts.left) && equalBytes(right, parts.right),
          )
        )
          yield problem("error", mergeRow, parts, "the commit has other parents");
      }
  },
};

/** The merge row of a commit; nothing of one with one parent. */
function mergeOf({
  id,
  parents: [a, b],
}: Commit): { left: Uint8Array; right: Uint8Array; commit: Uint8Array }[] {
  if (a === undefined || b === undefined) return [];
  return [compareBytes(a, b) <= 0 ? { left: a, right: b, commit: id } : { left: b, right: a, commit: id }];
}
