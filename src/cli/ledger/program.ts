/** The commands about Ledger repositories: their words, options and help. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { engineNames } from "../../ledger/view/index.js";
import type { Terminal } from "../terminal.js";
import { wholeNumber } from "../whole-number.js";
import { entries } from "./entries.js";
import { get } from "./get.js";
import { log } from "./log.js";
import { pages } from "./pages.js";
import { put, remove } from "./put.js";
import { rows } from "./rows.js";
import { evict, usage } from "./usage.js";
import { verify } from "./verify.js";

const engine = () =>
  new Option("--engine <name>", "what the databases are; found from the folder unless given").choices(
    engineNames,
  );
const json = () => new Option("--json", "one JSON object a line, also on a terminal");
const name = () => new Option("--name <name>", "the ledger; unless given, the only one of the repository");
const page = () => new Option("--page <id>", "the page, 32 hex digits; the root page unless given");
const hexKey = () => new Option("--hex", "KEY is in hex digits");

/** Adds `merostore ledger COMMAND`. */
export function ledgerCommands(root: Command, terminal: Terminal, done: (status: number) => void): Command {
  const ledger = root
    .command("ledger")
    .description("read, write and check a Ledger repository: pages of versioned key-value data")
    .helpCommand("help [command]", "what a command does, with examples")
    .addHelpText(
      "after",
      `
Examples:
  merostore ledger pages data            # ledgers and pages of a repository
  merostore ledger entries data          # keys of the root page, and the sizes of their values
  merostore ledger get data name         # the value of an entry
  merostore ledger put data name Alice   # a new value, as a commit of its own
  merostore ledger log data              # the commits
  merostore ledger rows data             # every row of the database, by its name
  merostore ledger verify data           # whether the rows agree with each other
  merostore ledger help entries          # more examples, for each command

A repository is the folder that a program gave to openLedger. Nobody else may have it open: LevelDB has no opening
for reading only, and each database has one holder. Commands change no row, except put, delete and evict.
Values of entries are shown by "get", and by "entries" where they are asked for.
Status: 0 done; 1 the answer is no; 2 wrong use; 3 the repository cannot be opened or read.`,
    );

  ledger
    .command("pages <dir>")
    .description("ledgers and pages: entries, heads, generation, size on disk, when used")
    .addOption(engine())
    .addOption(json())
    .addHelpText(
      "after",
      `
Examples:
  merostore ledger pages data
  merostore ledger pages data | jq -r 'select(.ledger == "contacts") | .page'

Entries are those of the oldest head, where a connection begins. empty: no entries; synced: all of it is in the
cloud; online: it was in the cloud or at a peer once. Counting reads the nodes of the tree, no values.
Status 3 if a page could not be read; the others are shown.`,
    )
    .action(async (dir, options) => done(await pages(terminal, dir, options)));

  ledger
    .command("entries <dir>")
    .description("entries of a page in key order: key, size, priority")
    .option("--prefix <key>", "only keys that begin so")
    .option("--from <key>", "keys from this one on")
    .option("--limit <n>", "at most so many", wholeNumber)
    .option("--values", "values too")
    .option("--hex", "keys and values in hex, also those that are given")
    .addOption(name())
    .addOption(page())
    .addOption(engine())
    .addOption(json())
    .addHelpText(
      "after",
      `
Examples:
  merostore ledger entries data --prefix contact/ --limit 20
  merostore ledger entries data --name contacts --values
  merostore ledger entries data --page 00112233445566778899aabbccddeeff --from 6e --hex
  merostore ledger entries data | jq -r 'select(.size > 1000000) | .text'

In JSON "key" and "value" are hex, "text" is the key where it is UTF-8. The size of a lazy value that is not on this
device is null. The size of a damaged value is null too, and "error" gives the reason. --values reads each value into
memory; use "get" for a value that is too large for that. Status 3 if a value is damaged; the other entries are shown.`,
    )
    .action(async (dir, options) => done(await entries(terminal, dir, options)));

  ledger
    .command("log <dir>")
    .description("commits of a page, newest first: generation, time, parents, root")
    .option("--limit <n>", "at most so many", wholeNumber)
    .addOption(name())
    .addOption(page())
    .addOption(engine())
    .addOption(json())
    .addHelpText(
      "after",
      `
Examples:
  merostore ledger log data --limit 10
  merostore ledger log data | jq -r 'select(.merge) | .id'

head: no commit comes after it; merge: it has two parents; unsynced: it is in no cloud. Without a cloud the history is
pruned up to what all that is in use has in common: "pruned" names parents that are on this device no more.`,
    )
    .action(async (dir, options) => done(await log(terminal, dir, options)));

  ledger
    .command("get <dir> <key>")
    .description("the value of an entry, to stdout or a file")
    .option("--offset <n>", "from this byte on; negative: so many before the end", anyWholeNumber)
    .option("--size <n>", "at most so many bytes", wholeNumber)
    .option("-o, --out <file>", "write to a file, which gets its name when it is complete")
    .addOption(hexKey())
    .addOption(name())
    .addOption(page())
    .addOption(engine())
    .addOption(json())
    .addHelpText(
      "after",
      `
Examples:
  merostore ledger get data name
  merostore ledger get data photo -o photo.jpg
  merostore ledger get data photo --offset -100 | xxd
  merostore ledger get data 6e616d65 --hex

Bytes as they are, piece by piece; on a terminal, text, or hex where it is none. In JSON the value is hex.
Status 1 and KEY_NOT_FOUND if there is no such entry, NEEDS_FETCH if its lazy value is not on this device.`,
    )
    .action(async (dir, key, options) => done(await get(terminal, dir, key, options)));

  ledger
    .command("put <dir> <key> [value]")
    .description("put a value at a key: a commit of its own")
    .option("--file <file>", "the value is what is in a file")
    .option("--value-hex <hex>", "the value in hex digits")
    .option("--lazy", "other devices need not have the value")
    .option("--create", "make the repository or the page if it is missing")
    .addOption(hexKey())
    .addOption(name())
    .addOption(page())
    .addOption(engine())
    .addOption(json())
    .addHelpText(
      "after",
      `
Examples:
  merostore ledger put data name Alice
  merostore ledger put data photo --file photo.jpg --lazy
  tar c notes | merostore ledger put data notes.tar -
  merostore ledger put new-data name Alice --name contacts --create

VALUE - is what comes from stdin; it and files are streamed. A page with several heads is merged on the way: the last
one wins. The history of a page that was never online is pruned as always. A new repository is one of LevelDB.`,
    )
    .action(async (dir, key, value, options) => done(await put(terminal, dir, key, value, options)));

  ledger
    .command("delete <dir> <key>")
    .description("remove the entry at a key: a commit of its own")
    .addOption(hexKey())
    .addOption(name())
    .addOption(page())
    .addOption(engine())
    .addOption(json())
    .addHelpText(
      "after",
      `
Example:
  merostore ledger delete data name --name contacts

Status 1 and KEY_NOT_FOUND if there is no such entry. A page that is empty then, and never was online, is removed.`,
    )
    .action(async (dir, key, options) => done(await remove(terminal, dir, key, options)));

  ledger
    .command("rows <dir>")
    .description("rows of a page's database, named and decoded")
    .option("--kind <name>", "only rows of this kind")
    .option("--usage", "rows of the database that says when pages were used")
    .addOption(name())
    .addOption(page())
    .addOption(engine())
    .addOption(json())
    .addHelpText(
      "after",
      `
Examples:
  merostore ledger rows data
  merostore ledger rows data --kind commit
  merostore ledger rows data --usage
  merostore ledger rows data | jq -r .kind | sort | uniq -c

Rows come in the order of their keys; one of no known kind has the kind null. Of pieces only is shown what they are.`,
    )
    .action(async (dir, options) => done(await rows(terminal, dir, options)));

  ledger
    .command("verify <dir>")
    .description("check rows against each other: ids, digests, heads, trees, edges, statuses")
    .addOption(name())
    .addOption(new Option("--page <id>", "only this page; all pages unless given"))
    .addOption(engine())
    .addOption(json())
    .addHelpText(
      "after",
      `
Examples:
  merostore ledger verify data
  merostore ledger verify data --page 00000000000000000000000000000000
  merostore ledger verify data | jq -c 'select(.severity == "error")'

An error is what no sound database has; a warning what a crash or an unfinished sync can leave; an info is normal, and
worth knowing. For each page a summary says what the rules looked at. Nothing is changed, no value is shown.
Status 1 if there are errors.`,
    )
    .action(async (dir, options) => done(await verify(terminal, dir, options)));

  ledger
    .command("usage <dir>")
    .description("when pages were used, the least recently used one first")
    .addOption(engine())
    .addOption(json())
    .addHelpText(
      "after",
      `
Example:
  merostore ledger usage data

Status 3 if a row is damaged; the other pages are shown. Opening the repository for writing repairs the row: the page
then counts as closed at that time.`,
    )
    .action(async (dir, options) => done(await usage(terminal, dir, options)));

  ledger
    .command("evict <dir>")
    .description("remove a page from this device if nothing of it would be lost")
    .addOption(name())
    .addOption(new Option("--page <id>", "this page; the first that can be removed unless given"))
    .addOption(engine())
    .addOption(json())
    .addHelpText(
      "after",
      `
Examples:
  merostore ledger evict data
  merostore ledger evict data --page 00112233445566778899aabbccddeeff

A page is removed if all of it is in the cloud, or if it is empty and never was online. Without --page: the least
recently used one of which that is so. Status 1 if nothing was removed.`,
    )
    .action(async (dir, options) => done(await evict(terminal, dir, options)));

  return ledger;
}

function anyWholeNumber(text: string): number {
  if (!/^-?[0-9]{1,15}$/.test(text)) throw new InvalidArgumentError("Write a whole number.");
  return Number(text);
}
