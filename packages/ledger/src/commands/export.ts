import { Readable } from "node:stream";
import { checkOut, command, out, writeOut } from "merostore/internal/commands";
import { exportEntries } from "../index.js";
import { namedCommit } from "./commits.js";
import { openPage } from "./opening.js";
import { at, engine, name, page } from "./options.js";

/** Writes the entries of a page as a file that {@link importCommand} reads. */
export const exportCommand = command({
  words: "export <dir>",
  description: "the entries of a page as a file, without their history",
  options: { out, at, name, page, engine },
  help: `Examples:
  merostore ledger export data -o contacts.page
  merostore ledger export data | gzip > contacts.page.gz

NEEDS_FETCH if a lazy value is not on this device.`,

  async run(terminal, { dir }, options) {
    if (options.out !== undefined) checkOut(options.out);
    await using opened = await openPage(terminal, dir, options);
    const commit = await namedCommit(terminal, opened.view, options.at ?? "head");
    const chunks = exportEntries(opened.view.snapshot(commit));
    if (options.out !== undefined) await writeOut(options.out, [Readable.from(chunks)]);
    else for await (const chunk of chunks) await terminal.bytes(chunk);
    return 0;
  },
});
