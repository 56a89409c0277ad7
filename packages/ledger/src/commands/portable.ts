import { Readable } from "node:stream";
import { counted } from "merostore/internal";
import { checkOut, command, flag, out, writeOut } from "merostore/internal/commands";
import { exportEntries, importEntries } from "../index.js";
import { fileContent, openForWriting } from "./change.js";
import { at, engine, name, namedCommit, openPage, page } from "./opening.js";

/** Writes the entries of a page as a file that {@link importCommand} reads. */
export const exportCommand = command({
  words: "export <dir>",
  description: "the entries of a page as a file, without their history",
  options: { out, at, name, page, engine },
  help: `Examples:
  merostore ledger export data -o contacts.page
  merostore ledger export data | gzip > contacts.page.gz

NEEDS_FETCH if a lazy value is not on this device. Of a page with several heads the file has their merge: the last one
wins.`,

  async run(terminal, { dir }, options) {
    if (options.out !== undefined) checkOut(options.out);
    await using opened = await openPage(terminal, dir, options);
    const { view } = opened;
    const merged = options.at === undefined ? await view.mergedSnapshot() : undefined;
    if (merged !== undefined)
      terminal.remark(
        "the page has heads that are not merged yet; the file has their merge: the last one wins",
      );
    const snapshot = merged ?? view.snapshot(await namedCommit(terminal, view, options.at ?? "head"));
    const chunks = exportEntries(snapshot);
    if (options.out !== undefined) await writeOut(options.out, [Readable.from(chunks)]);
    else for await (const chunk of chunks) await terminal.bytes(chunk);
    return 0;
  },
});

/** Puts the entries of an exported page into a page: one commit. */
export const importCommand = command({
  words: "import <dir> <file>",
  description: "put the entries of an exported page into a page, as one commit",
  writes: true,
  options: { create: flag("make the repository or the page if it is missing"), name, page, engine },
  help: `Examples:
  merostore ledger export data -o contacts.page
  merostore ledger import data contacts.page
  merostore ledger export data | merostore ledger import new-data - --name contacts --create

FILE - reads stdin. Other entries of the page stay, and so does its history. A damaged file
changes no entry; --create has made the repository and the page then.`,

  async run(terminal, { dir, file }, options) {
    const content = file === "-" ? terminal.input() : fileContent(file, "FILE");
    const { ledger: opened, id } = await openForWriting(dir, options, options.create);
    await using ledger = opened;
    await using page = await ledger.page(id, { create: options.create });
    const imported = await importEntries(page, content);
    terminal.remark(`imported ${counted(imported, "entry", "entries")}`);
    return 0;
  },
});
