import { type BlobFinding, checkBlobs, hidesChunks, repairBlobCounts } from "../../blobs/index.js";
import { counted } from "../../bytes/quantity.js";
import { toJsonLine } from "../../bytes/visible.js";
import { invalidArgument } from "../../errors.js";
import { command } from "../arguments/command.js";
import { flag } from "../arguments/option-kinds.js";
import { dryRun, json, writing } from "../arguments/options.js";
import type { Terminal } from "../output/terminal.js";
import { printable } from "../output/text.js";
import { chunksNotKnown, folderOption, withBlobs } from "./open.js";

/** Checks all blobs. */
export const check = command({
  words: "check <db>",
  description: "find missing, leftover and broken parts of blobs; --repair repairs counts",
  writes: "--repair",
  options: {
    repair: flag("write the reference counts that blobs need, and nothing else"),
    dryRun,
    blobs: folderOption,
    json,
    ...writing,
  },
  help: `Examples:
  merostore blobs check node/data
  merostore blobs check node/data --json | jq -c 'select(.severity == "error")'
  merostore blobs check node/data --repair --dry-run

Every file is read and hashed. An error means that content is lost or wrong, a warning that it may be, an info that space
is lost at most. --repair writes: stop the node first. docs/blobs.md explains each finding. Status 1 if there are errors.`,

  async run(terminal, { db }, options) {
    const { repair } = options;
    if (options.dryRun && !repair)
      throw invalidArgument("--dry-run belongs to --repair: a check writes nothing");
    const status = await withBlobs(terminal, db, options, async ({ store, folder }) => {
      using progress = terminal.progress("blobs check", "rows");
      const counts = { error: 0, warning: 0, info: 0 };
      for await (const found of checkBlobs(store, folder, { onProgress: progress.show })) {
        counts[found.severity]++;
        await print(terminal, found, options.json);
      }
      await terminal.flush();
      const { error, warning, info } = counts;
      if (hidesChunks(store.schema))
        terminal.remark(`${chunksNotKnown(store)}: only the ids of blobs were checked`);
      terminal.remark(
        `${counted(error, "error")}, ${counted(warning, "warning")}, ${counted(info, "info", "infos")}`,
      );
      return error > 0 ? 1 : 0;
    });
    if (!repair || status === 3) return status;
    await withBlobs(terminal, db, { ...options, write: !options.dryRun }, async ({ store }) => {
      const repaired = await repairBlobCounts(store, { dryRun: options.dryRun });
      for (const { blobId, before, after } of repaired)
        await terminal.line(
          options.json
            ? toJsonLine({ repaired: blobId, before, after, written: !options.dryRun })
            : `${options.dryRun ? "would count" : "counted"} ${after} instead of ${before} references of ${blobId}`,
        );
      await terminal.flush();
      terminal.remark(
        options.dryRun
          ? "nothing was written: this was a --dry-run"
          : `${counted(repaired.length, "count")} repaired`,
      );
      return 0;
    });
    return status;
  },
});

async function print(terminal: Terminal, found: BlobFinding, asJson: boolean): Promise<void> {
  const { severity, state, blobId, file, message } = found;
  if (asJson) {
    await terminal.json({ severity, state, blobId: blobId ?? null, file: file ?? null, message });
    return;
  }
  await terminal.line(
    `${severity.padEnd(7)}  ${state.padEnd(16)}  ${blobId ?? printable(file ?? "")}  ${message}`,
  );
}
