import { collectBlobs } from "../../blobs/index.js";
import { counted, size } from "../../bytes/quantity.js";
import { command } from "../arguments/command.js";
import { flag } from "../arguments/option-kinds.js";
import { dryRun, json, writing } from "../arguments/options.js";
import { printable } from "../output/text.js";
import { folderOption, withBlobs } from "./open.js";

/** Removes the files and rows to which nothing refers. */
export const collect = command({
  words: "collect <db>",
  description: "remove unused parts: chunks without a blob, files without a row",
  writes: true,
  options: {
    dryRun,
    unnamed: flag("also blobs that no application, group or context names; an application's data may"),
    blobs: folderOption,
    json,
    ...writing,
  },
  help: `Stop the node first: only one process can write.

Examples:
  merostore blobs collect node/data --dry-run
  merostore blobs collect node/data

Chunks that no blob has, files without a row and unfinished files are removed. Blobs that nothing names are listed, and
removed only with --unnamed: people upload blobs whose ids only the data of an application holds.`,

  async run(terminal, { db }, options) {
    return withBlobs(terminal, db, { ...options, write: !options.dryRun }, async ({ store, folder }) => {
      const { dryRun, unnamed: alsoUnnamed } = options;
      const found = await collectBlobs(store, folder, { dryRun, unnamed: alsoUnnamed });
      const { chunks, files, unfinished, unnamed, bytes, rows } = found;
      if (options.json) await terminal.json({ ...found, written: !options.dryRun });
      else {
        for (const id of chunks) await terminal.line(`chunk that no blob has  ${id}`);
        for (const id of files) await terminal.line(`file without a row      ${id}`);
        for (const name of unfinished) await terminal.line(`unfinished file         ${printable(name)}`);
        for (const id of unnamed)
          await terminal.line(`nothing names the blob  ${id}${options.unnamed ? "" : "  (stays)"}`);
      }
      const what = `${counted(rows, "row")} and ${size(bytes)} of files`;
      terminal.remark(
        options.dryRun
          ? `${what} would be removed; nothing was written: this was a --dry-run`
          : `${what} removed`,
      );
      return 0;
    });
  },
});
