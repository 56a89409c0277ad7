import { command, dryRun } from "merostore/internal/commands";
import type { Page } from "../index.js";
import { change } from "./change.js";
import { noEntry } from "./get.js";
import { parseKey } from "./opening.js";
import { hex, ofPage } from "./options.js";
import { readable } from "./text.js";

/** Removes the entry at a key: one commit. */
export const deleteCommand = command({
  words: "delete <dir> <key>",
  description: "remove the entry at a key: a commit of its own",
  writes: true,
  options: { dryRun, hex, ...ofPage },
  help: `Examples:
  merostore ledger delete data name --name contacts --dry-run
  merostore ledger delete data name --name contacts

Status 1 and KEY_NOT_FOUND if the entry does not exist. A page that is then empty and was never online is removed.`,

  async run(terminal, given, options) {
    const key = parseKey(given.key, options.hex);
    const remove = async (page: Page): Promise<string> => {
      {
        await using snapshot = await page.snapshot();
        if (!(await snapshot.has(key))) throw noEntry(key);
      }
      await page.delete(key);
      return `deleted ${readable(key)}`;
    };
    return change(terminal, given.dir, options, false, key, remove, true);
  },
});
