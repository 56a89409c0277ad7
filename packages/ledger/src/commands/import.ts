import { counted } from "merostore/internal";
import { command, flag } from "merostore/internal/commands";
import { importEntries } from "../index.js";
import { openForWriting } from "./change.js";
import { engine, name, page } from "./options.js";
import { fileContent } from "./put.js";

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
    terminal.remark(`merostore: imported ${counted(imported, "entry", "entries")}`);
    return 0;
  },
});
