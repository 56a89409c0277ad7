import { createReadStream } from "node:fs";
import { putBlob } from "../../blobs/index.js";
import { count, counted, size } from "../../bytes/quantity.js";
import { command } from "../arguments/command.js";
import { dryRun, json, writing } from "../arguments/options.js";
import { refuseNoFile } from "../state/manifest-file.js";
import { folderOption, withBlobs } from "./open.js";

/** Adds a blob. */
export const put = command({
  words: "put <db> <file>",
  description: "add a blob: the content of a file, or of stdin (-)",
  writes: true,
  options: { dryRun, blobs: folderOption, json, ...writing },
  help: `Stop the node first: only one process can write.

Examples:
  merostore blobs put node/data photo.jpg --dry-run
  merostore blobs put node/data photo.jpg

The rows and files are those that the node makes: chunks of 1 MiB, and one row for the whole. Adding a blob again counts
one more addition in core-0.11. Files are synced before rows are written: a crash leaves files without rows at most, which
"blobs collect" removes. It prints the id.`,

  async run(terminal, { db, file }, options) {
    if (file !== "-") refuseNoFile(file);
    return withBlobs(terminal, db, { ...options, write: !options.dryRun }, async ({ store, folder }) => {
      using progress = terminal.progress("blobs put");
      const content =
        file === "-" ? terminal.input() : createReadStream(file, { highWaterMark: 1024 * 1024 });
      const made = await putBlob(store, folder, content, {
        dryRun: options.dryRun,
        onProgress: progress.show,
      });
      if (options.json) await terminal.json({ ...made, written: !options.dryRun });
      else await terminal.line(made.blobId);
      const { size: bytes, chunks, files, refs } = made;
      terminal.remark(
        options.dryRun
          ? `nothing was written: this was a --dry-run; ${size(bytes)}, ${counted(chunks, "chunk")}`
          : `${size(bytes)} added, ${counted(chunks, "chunk")}, ${counted(files, "new file")}${refs === undefined || refs === 1 ? "" : `; added ${count(refs)} times by now`}`,
      );
      return 0;
    });
  },
});
