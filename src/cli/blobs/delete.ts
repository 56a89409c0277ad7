import { deleteBlob } from "../../blobs/index.js";
import { counted } from "../../bytes/quantity.js";
import { command, type ExitStatus } from "../arguments/command.js";
import { dryRun, json, writing } from "../arguments/options.js";
import { blobOf, folderOption, type OpenBlobs, withBlobs } from "./open.js";

/** Deletes a blob. */
export const deleteCommand = command({
  words: "delete <db> <blob>",
  description: "delete a blob that nothing names",
  writes: true,
  options: { dryRun, blobs: folderOption, json, ...writing },
  help: `Stop the node first: only one process can write.

Examples:
  merostore blobs delete node/data c743757e772eb606a067e5ff3ee58f7b7d679fdd3b13b84fa75f0a500f7d4b4b --dry-run
  merostore blobs delete node/data c743757e772eb606a067e5ff3ee58f7b7d679fdd3b13b84fa75f0a500f7d4b4b

It deletes as core-0.11 does: one addition less, and the rows and files go with the last. The data of an application may
hold the blob's id: only the application knows. To keep the content, get it first. No chunk goes that another blob needs.
Status 1 and BLOB_NOT_FOUND if the blob does not exist, BLOB_IN_USE if an application, a group, a context or another blob
names it.`,

  async run(terminal, { db, blob }, options) {
    const run =
      (isDry: boolean) =>
      async ({ store, folder }: OpenBlobs): Promise<ExitStatus> => {
        const id = await blobOf(store, blob);
        const done = await deleteBlob(store, folder, id, { dryRun: isDry });
        if (isDry && !options.dryRun) return 0; // that was only the check before the deletion
        if (options.json) await terminal.json({ ...done, written: !isDry });
        else {
          for (const removed of done.removed)
            await terminal.line(`${isDry ? "would delete" : "deleted"} ${removed}`);
          for (const recounted of done.recounted)
            await terminal.line(`${isDry ? "would count" : "counted"} fewer references of ${recounted}`);
        }
        terminal.remark(
          isDry
            ? "nothing was written: this was a --dry-run"
            : `${counted(done.removed.length, "row")} deleted${done.refs === 0 ? "" : `; the blob was added ${done.refs} more ${done.refs === 1 ? "time" : "times"} and stays`}`,
        );
        return 0;
      };
    const looked = await withBlobs(terminal, db, options, run(true));
    return options.dryRun || looked !== 0
      ? looked
      : withBlobs(terminal, db, { ...options, write: true }, run(false));
  },
});
