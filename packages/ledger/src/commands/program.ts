/** The commands about Ledger repositories, in the order of the help. */

import { readFileSync } from "node:fs";
import { type CommandGroup, runCommands, writingSentence } from "merostore/internal/commands";
import { deleteCommand, put } from "./change.js";
import { cloud } from "./cloud.js";
import { devices } from "./devices.js";
import { diff } from "./diff.js";
import { entries } from "./entries.js";
import { get } from "./get.js";
import { log, show } from "./log.js";
import { pages } from "./pages.js";
import { exportCommand, importCommand } from "./portable.js";
import { rows } from "./rows.js";
import { serve } from "./serve.js";
import { sync } from "./sync.js";
import { evict, usage } from "./usage.js";
import { verify } from "./verify.js";

const commands = [
  pages,
  entries,
  log,
  show,
  diff,
  get,
  put,
  deleteCommand,
  exportCommand,
  importCommand,
  rows,
  verify,
  usage,
  evict,
  serve,
  sync,
  cloud,
  devices,
];

/** `merostore ledger COMMAND`. */
export const ledger: CommandGroup = {
  name: "ledger",
  description: "read, write and check a Ledger repository: pages of versioned key-value data",
  commands,
  help: `Examples:
  merostore ledger pages data            # ledgers and pages of a repository
  merostore ledger entries data          # keys of the root page, and the sizes of their values
  merostore ledger get data name         # the value of an entry
  merostore ledger put data name Alice   # a new value, as a commit of its own
  merostore ledger log data              # the commits
  merostore ledger show data head        # a commit and its changes
  merostore ledger rows data             # every row of the database, by its name
  merostore ledger verify data           # check the rows against each other
  merostore ledger help entries          # more examples, for each command

A repository is the folder that a program gave to openLedger or openRepository. No other program may have it open:
LevelDB cannot open a database for reading only, and each database has one holder.
${writingSentence(commands)}
"get" shows the value of an entry; "entries" shows values on request.
Status: 0 done; 1 negative result (not found, different, errors found); 2 usage error;
3 the repository cannot be opened or read.`,
};

/** The whole command line of the package: it takes the words that `merostore ledger` is called with. */
export const ledgerCommands: CommandGroup = {
  name: "merostore",
  description: ledger.description,
  commands: [ledger],
  help: ledger.help,
};

/**
 * Runs a command line.
 *
 * @param words `ledger`, and the words after it
 * @returns the exit status
 */
export function runCommandLine(words: readonly string[]): Promise<number> {
  const about = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  const { version } = JSON.parse(about) as { readonly version: string };
  return runCommands(ledgerCommands, version, words);
}
