import { command, wholeNumber } from "merostore/internal/commands";
import { printChanges } from "./changes.js";
import { COMMIT_HELP, namedCommit } from "./commits.js";
import { openPage } from "./opening.js";
import { keysInHex, ofPage } from "./options.js";

/** Prints which entries differ between two commits of a page. Returns status 1 if any do. */
export const diff = command({
  words: "diff <dir> <before> <after>",
  description: "entries that differ between two commits of a page",
  options: { limit: wholeNumber("<n>", "at most this many"), hex: keysInHex, ...ofPage },
  help: `Examples:
  merostore ledger diff data first head
  merostore ledger diff data head head --json

+ added, - removed, ~ changed, with the sizes of the values. Parts that both commits share are not read.
${COMMIT_HELP}
Status 1 if entries differ.`,

  async run(terminal, { dir, before, after }, options) {
    await using page = await openPage(terminal, dir, options);
    const pair = [
      await namedCommit(terminal, page.view, before),
      await namedCommit(terminal, page.view, after),
    ] as const;
    return (await printChanges(terminal, page.view, pair, options)) ? 1 : 0;
  },
});
