/** The rows about pieces in the cloud. */
import { counted } from "merostore/internal";
import { isInline } from "../../objects.js";
import { commitRow, onlineRow, unsyncedCommitRow } from "../../rows/page-rows.js";
import { decodedValue, type PageRule, problem, RESTORE } from "../finding.js";

export const unsynced: PageRule = {
  name: "unsynced",
  severity: "error",
  says: "A commit that is to go to the cloud is there, and its generation is right.",
  means: "A commit that should go to the cloud is missing or has a wrong place in the order.",
  advice: RESTORE,
  async *check(page) {
    for await (const rows of page.rowsOf(unsyncedCommitRow))
      for (const stored of rows) {
        const { parts } = stored;
        page.count(1);
        const commit = await page.commit(parts.commit);
        if (commit === undefined) yield problem("error", unsyncedCommitRow, parts, "its commit is not there");
        else if (commit !== "damaged" && decodedValue(unsyncedCommitRow, stored) !== commit.generation)
          yield problem("error", unsyncedCommitRow, parts, "its commit has another generation");
      }
  },
};

export const synced: PageRule = {
  name: "synced",
  severity: "warning",
  says: "The root of a commit that is in the cloud is there too, and a page with such commits was online.",
  means: "The page takes a commit for stored in the cloud, and its data may not be there.",
  advice: "Keep the local page until the cloud has its data: do not evict it.",
  async *check(page) {
    const [isOnline = false] = await page.present([onlineRow.key.encode({})]);
    let inCloud = 0;
    for await (const batch of page.commits()) {
      const waiting = await page.present(batch.map(({ id }) => unsyncedCommitRow.key.encode({ commit: id })));
      const sent = batch.filter((_, at) => waiting[at] === false);
      const statuses = await page.pieces.statuses(sent.map(({ root }) => root));
      page.count(batch.length);
      inCloud += sent.length;
      for (const [at, { id, root }] of sent.entries())
        if (!isInline(root.digest) && statuses[at] === "local")
          yield problem(
            "warning",
            commitRow,
            { commit: id },
            "it is not marked as unsynced, and its root is not in the cloud",
          );
    }
    if (inCloud > 0 && !isOnline) {
      const message = `${counted(inCloud, "commit")} without the mark that they are unsynced, and the page is not marked as online`;
      yield problem("info", onlineRow, {}, message);
    }
  },
};
