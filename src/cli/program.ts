/** The command line: its words, options and help. Each command's work is in a file of its own. */
import { Command, Option } from "commander";
import { backup } from "./backup.js";
import { diff } from "./diff.js";
import { explain } from "./explain.js";
import { exportCommand } from "./export.js";
import { get } from "./get.js";
import { importCommand } from "./import.js";
import { info } from "./info.js";
import { ledgerCommands } from "./ledger/program.js";
import { base58, engine, json, logLoss, names, newest, reveal, revision, thorough } from "./options.js";
import { put, remove } from "./put.js";
import { scan } from "./scan.js";
import { schemaCommand } from "./schema.js";
import type { Terminal } from "./terminal.js";
import { tour } from "./tour.js";
import { verify } from "./verify.js";
import { wholeNumber } from "./whole-number.js";

/** The whole command line. `done` is told the status of the command that ran. */
export function program(terminal: Terminal, version: string, done: (status: number) => void): Command {
  const root = new Command("merostore")
    .description("Read, write and explain the RocksDB store of a Calimero node.")
    .version(version)
    .helpCommand("help [command]", "what a command does, with examples")
    .addHelpText(
      "after",
      `
Examples:
  merostore tour node/data                            # a first look
  merostore info node/data                            # what is in a database
  merostore scan node/data GroupMember                # every row of a kind
  merostore scan node/data GroupOpLog --limit 10      # rows of operation logs, in sequence order
  merostore explain --type GroupMemberRole 01         # what the bytes of a value mean
  merostore verify node/data                          # whether the rows agree with each other
  merostore schema --revision core-0.10               # how every row is laid out
  merostore ledger pages data                         # the pages of a Ledger repository
  merostore help scan                                 # more examples, for each command

Commands read only, except put, delete and import, and put, delete and evict of ledger. Rows go to stdout: readable on a
terminal, one JSON object a line otherwise; remarks go to stderr. Secrets are shown as "redacted" unless --reveal-secrets is given.
A node's database is the folder that holds the file CURRENT; "schema" lists the kinds of rows and their parts.
Status: 0 done; 1 the answer is no; 2 wrong use; 3 the database cannot be opened or read.`,
    );

  root
    .command("info <db>")
    .description("revision and evidence, column families, rows of each kind, what is only in the log")
    .addOption(revision())
    .addOption(thorough())
    .addOption(engine())
    .addOption(json())
    .addHelpText(
      "after",
      `
Examples:
  merostore info node/data
  merostore info node/data | jq '.columns[] | {column, rows}'

Reads every row once to count it. A running node may go on; what it writes meanwhile does not show.
--engine files reads RocksDB's own files, several times as fast as RocksDB; files of a kind that it does not
know are read with RocksDB, and "engine" says why.`,
    )
    .action(async (db, options) => done(await info(terminal, db, options)));

  root
    .command("schema")
    .description("every row of a revision: column family, prefix, key, sizes, value")
    .addOption(new Option("--revision <name>", "the revision").choices(names).default(newest))
    .addOption(new Option("--json", "one row a line").conflicts("markdown"))
    .option("--markdown", "as a document")
    .addOption(
      new Option("--compare <revisions...>", "what moved from an older to a newer revision").choices(names),
    )
    .addHelpText(
      "after",
      `
Examples:
  merostore schema | grep GroupMember
  merostore schema --revision documented --markdown > schema.md
  merostore schema --compare core-0.10 core-0.11
  merostore schema --json | jq -r .kind

"bytes" are sizes, of the key and of the value. b32 is 32 bytes, [T] a list, T? a value or none, raw any bytes,
() none at all. Fields of rows marked "secret" are shown as "redacted" by all commands; "by key": values of some keys.
Nodes of 0.10 keep private collections in State and Delta: commands that open a database redact those as well.`,
    )
    .action(async (options) => done(await schemaCommand(terminal, options)));

  root
    .command("get <db> [kind] [parts...]")
    .description("one row")
    .option("--column <name>", "with --key: the column family")
    .option("--key <hex>", "with --column: the key's bytes")
    .addOption(revision())
    .addOption(thorough())
    .addOption(engine())
    .addOption(json())
    .addOption(base58())
    .addOption(reveal())
    .addHelpText(
      "after",
      `
Parts are written part=value, ids in hex or base58. "merostore schema" lists the kinds and their parts.

Examples:
  merostore get node/data ContextMeta contextId=DR4KxtEL9jDZqJn1Ur8D2q2Hmrkipjuh3jL6QUmCLyXp
  merostore get node/data Alias aliasKind=1 scope=11111111111111111111111111111111 name=lobby
  merostore get node/data --column Meta --key b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443

Status 1 if there is no such row, 3 if its value does not decode.`,
    )
    .action(async (db, kind, parts, options) => done(await get(terminal, db, kind, parts, options)));

  root
    .command("scan <db> [kind] [parts...]")
    .description("rows in key order: of a kind, of a column family, or all")
    .option("--column <name>", "the rows of this column family")
    .option("--prefix <hex>", "with --column: keys that begin with these bytes")
    .option("--from <hex>", "with --column: keys from this one on")
    .option("--to <hex>", "with --column: keys before this one")
    .option("--reverse", "last row first")
    .option("--limit <n>", "at most so many rows", wholeNumber)
    .option("--keys-only", "no values")
    .addOption(revision())
    .addOption(thorough())
    .addOption(engine())
    .addOption(json())
    .addOption(base58())
    .addOption(reveal())
    .addHelpText(
      "after",
      `
Without a kind: every row of every column family, one after another. The parts that are given must be the leading
ones of the key; "merostore schema" lists the kinds and their parts. --reverse turns the rows of each column family.

Examples:
  merostore scan node/data GroupMember groupId=HqmkS4UhBYn7Qnoe7SBrR3dMto1SZN5NwmELweCuXyAC
  merostore scan node/data GroupOpLog groupId=HqmkS4UhBYn7Qnoe7SBrR3dMto1SZN5NwmELweCuXyAC --reverse --limit 10
  merostore scan node/data --column Group --prefix 30 --keys-only
  merostore scan node/data --json --reveal-secrets > rows.jsonl`,
    )
    .action(async (db, kind, parts, options) => done(await scan(terminal, db, kind, parts, options)));

  root
    .command("put <db> <kind> [parts...]")
    .description("write one row, checked against the schema")
    .option("--value <json>", "the value in its JSON form")
    .option("--value-hex <hex>", "the value's bytes; they must decode")
    .addOption(revision())
    .addOption(thorough())
    .addOption(logLoss())
    .addHelpText(
      "after",
      `
Stop the node first: only one process can write. The JSON form of a value is what "get --json" shows as "decoded";
a row without a value is written with null. Bytes of --value-hex are written as they are.

Examples:
  merostore put node/data GroupDefaultCaps groupId=HqmkS4UhBYn7Qnoe7SBrR3dMto1SZN5NwmELweCuXyAC \\
    --value '{"capabilities":4}'
  merostore put node/data Alias aliasKind=1 scope=11111111111111111111111111111111 name=staging \\
    --value '"b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443"'
  merostore put node/data GroupContextIndex groupId=HqmkS4UhBYn7Qnoe7SBrR3dMto1SZN5NwmELweCuXyAC \\
    contextId=DR4KxtEL9jDZqJn1Ur8D2q2Hmrkipjuh3jL6QUmCLyXp --value null
  merostore put node/data GroupMember groupId=HqmkS4UhBYn7Qnoe7SBrR3dMto1SZN5NwmELweCuXyAC \\
    account=4qCxBtQDkAC6BeDiG4kPVM1t9oophm57Fd4bMwadvyko --value-hex 0100000100

Whatever is wrong with the words, nothing is written: key and value are checked first.`,
    )
    .action(async (db, kind, parts, options) => done(await put(terminal, db, kind, parts, options)));

  root
    .command("delete <db> <kind> [parts...]")
    .description("delete one row")
    .addOption(revision())
    .addOption(thorough())
    .addOption(logLoss())
    .addHelpText(
      "after",
      `
Stop the node first: only one process can write.

Example:
  merostore delete node/data Alias aliasKind=1 scope=11111111111111111111111111111111 name=lobby

Status 1 if there is no such row.`,
    )
    .action(async (db, kind, parts, options) => done(await remove(terminal, db, kind, parts, options)));

  root
    .command("export <db>")
    .description("a whole database, or part of it, as text that can be imported")
    .option("-o, --out <file>", "write to a file, which gets its name when it is complete")
    .option("--column <name...>", "only these column families")
    .option("--context <id>", "only rows whose key names this context")
    .option("--group <id>", "only rows whose key names this group or namespace")
    .option("--gzip", "packed")
    .addOption(reveal())
    .addOption(
      new Option("--without-secrets", "accept that rows with secrets have no values").conflicts(
        "revealSecrets",
      ),
    )
    .addOption(revision())
    .addOption(thorough())
    .addOption(engine())
    .addHelpText(
      "after",
      `
One JSON object a line: first what the database is, then every row as "scan --json" shows it, unknown ones included,
last the counts and a SHA-256 of the rows. Without --reveal-secrets the export leaves out private keys, shared keys,
private state (collections that nodes of 0.10 keep in State and Delta included) and every value that it does not
understand. "import" takes such an export only --without-secrets, and skips those rows. The command then reports how
many rows cannot be restored, and ends with status 1 unless --without-secrets is given.

Examples:
  merostore export node/data --reveal-secrets --gzip -o node.ndjson.gz
  merostore export node/data --context DR4KxtEL9jDZqJn1Ur8D2q2Hmrkipjuh3jL6QUmCLyXp --without-secrets |
    jq -c 'select(.kind == "ContextDagDelta") | .decoded.hlc'
  merostore export node/data --column Group --reveal-secrets -o groups.ndjson

Only you can read the file that -o writes. Keep an export with secrets like the database itself: whoever reads it has
the node's keys. A row of more than 32 MiB does not fit into an export (status 3): copy such a database with "backup".`,
    )
    .action(async (db, options) => done(await exportCommand(terminal, db, options)));

  root
    .command("import <file> <db>")
    .description("a new database from an export, or its rows added to one")
    .addOption(revision())
    .option("--into-existing", "add the rows to a database, over those with the same keys")
    .option(
      "--without-secrets",
      "take an export without secrets, without the rows that have none of their values",
    )
    .addOption(logLoss())
    .addHelpText(
      "after",
      `
Every line is checked, and at the end the counts and the hash. A new database gets its name only when it is complete:
if anything is wrong, or the command is interrupted, there is none. Into an existing one nothing is written before the
whole file has been checked; if that is interrupted, import it again. Only you can read a new database. What a killed
import left behind, the next one into the same place removes.

Packed files are unpacked. One that unpacks to more than 512 MiB and 200 times its size is refused: unpack it with
gunzip first if you trust it.

Examples:
  merostore import node.ndjson.gz node/restored
  merostore import groups.ndjson node/data --into-existing

Stop the node first when importing into its database: only one process can write.`,
    )
    .action(async (file, db, options) => done(await importCommand(terminal, file, db, options)));

  root
    .command("diff <a> <b>")
    .description("what differs between two databases, or exports of them")
    .option("--column <name...>", "only these column families")
    .option("--context <id>", "only rows whose key names this context")
    .option("--group <id>", "only rows whose key names this group or namespace")
    .addOption(
      new Option("--by <what>", "sum up by context").choices(["context"]).conflicts(["column", "group"]),
    )
    .addOption(json())
    .addOption(revision())
    .addOption(thorough())
    .addOption(engine())
    .addHelpText(
      "after",
      `
< only in A, > only in B, ~ in both and different, with the fields that differ. What nodes which did nothing wrong may
differ in (their own keys, what they noted by their own clock) says so. Secrets are never shown. Of an export without
secrets some rows have no values: only their keys are compared, and the summary counts them.

Examples:
  merostore diff node-a/data node-b/data --by context
  merostore diff node/data yesterday.ndjson.gz
  merostore diff node-a/data node-b/data --context DR4KxtEL9jDZqJn1Ur8D2q2Hmrkipjuh3jL6QUmCLyXp \\
    --column State Delta

Status 0 if all rows are equal, 1 if not.`,
    )
    .action(async (a, b, options) => done(await diff(terminal, a, b, options)));

  root
    .command("backup <db> <folder>")
    .description("a copy of a database by its files, also beside a running node")
    .addHelpText(
      "after",
      `
The copy has every write that was done before the command began, and of later ones those up to some moment; a batch
of writes is in it whole or not at all. It is a database like the first: open it, verify it, compare it, or put it in
the other's place. The folder gets its name when everything is written, synced and read through; a damaged table is
refused. The copy is open to its owner only.

Not in it: the node's blob files, its configuration, and what RocksDB logs for people. Copy the blobs after the
database: then all that it names are there.

Example:
  merostore backup node/data backup/2026-11-21`,
    )
    .action(async (db, folder) => done(await backup(terminal, db, folder)));

  root
    .command("explain [bytes...]")
    .usage("[options] COLUMN KEYHEX [VALUEHEX]\n       merostore explain [options] --type NAME HEX")
    .description("bytes beside fields, with offsets; where decoding stopped, and why")
    .option("--type <name>", "a value of this type")
    .addOption(
      new Option("--revision <name>", "instead of the newest in which the bytes decode").choices(names),
    )
    .addOption(new Option("--json", "one JSON object for the key and one for the value"))
    .addOption(reveal())
    .addHelpText(
      "after",
      `
Examples:
  merostore explain Group 29fa3977a23ba74c0468ff077f4e4cbfd213f95773e24ac8229c64573857a7fb05 04000000
  merostore explain --type UpgradePolicy 02013c0000000000000000000000
  merostore explain --type GroupMemberRole 02 --revision documented

"merostore schema" lists column families and types. No database is opened, so nothing tells whether a value of State or
Delta belongs to a private collection: such values are shown. Status 1 if the bytes do not decode.`,
    )
    .action(async (bytes, options) => done(await explain(terminal, bytes, options)));

  root
    .command("verify [db]")
    .description(
      "check rows against each other: ids, hashes, signatures, logs, trees; what is wrong, and where",
    )
    .option("--rule <names...>", "only these rules")
    .option("--context <id>", "only rows about this context, and the rules about such rows")
    .option("--blobs <folder>", "the folder of the blobs' files, to check them too")
    .option("--list", "what every rule checks; no database is opened")
    .addOption(revision())
    .addOption(thorough())
    .addOption(engine())
    .addOption(json())
    .addHelpText(
      "after",
      `
Examples:
  merostore verify node/data
  merostore verify node/data --blobs node/blobs
  merostore verify node/data --rule delta-id delta-signature --context DR4KxtEL9jDZqJn1Ur8D2q2Hmrkipjuh3jL6QUmCLyXp
  merostore verify node/data | jq -c 'select(.severity == "error")'
  merostore verify --list

An error is what no honest node writes; a warning what a crash or an unfinished sync can leave behind; an info is
normal, and worth knowing. Of rules about pairs of rows a single break is a warning. The summary comes last: for
each rule how much it looked at and found. Nothing is changed, and no secret is shown.
Status 1 if there are errors, damaged files among them, 3 if the database cannot be opened.`,
    )
    .action(async (db, options) => done(await verify(terminal, db, options)));

  root
    .command("tour <db>")
    .description("a readable look at what is in a database, and what to try next")
    .addOption(revision())
    .addOption(thorough())
    .addOption(engine())
    .addHelpText("after", "\nExample:\n  merostore tour node/data\n\nReads every row once to count it.")
    .addOption(new Option("--command <words>", "how the next commands are written").hideHelp())
    .action(async (db, options) => done(await tour(terminal, db, options)));

  const ledger = ledgerCommands(root, terminal, done);
  for (const command of [root, ...root.commands, ...ledger.commands]) {
    const within = command.parent === ledger ? "merostore ledger" : "merostore";
    const name = command === root ? "merostore" : `${within} ${command.name()}`;
    command.exitOverride().configureOutput({ outputError: (text) => terminal.remark(oneLine(text, name)) });
  }
  return root;
}

/** `error: unknown option '--limi'\n(Did you mean --limit?)` → one line that says where help is. */
function oneLine(text: string, command: string): string {
  const said = text
    .trim()
    .replace(/^error: /, "")
    // What was typed in the wrong place may be a secret: of it only a name is told.
    .replaceAll(/'([^'=]*)[^']*'/g, (_, name: string) => (name.length <= 24 ? `'${name}'` : "'…'"))
    .replaceAll("\n", " ")
    .replace(/\.$/, "");
  return `merostore: ${said}; see ${command} --help`;
}
