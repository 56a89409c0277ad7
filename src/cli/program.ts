/** The command line: all commands, in the order of the help. */

import { type CommandGroup, writingSentence } from "./arguments/command.js";
import { flag, type Option } from "./arguments/option-kinds.js";
import { reading, tableLook } from "./arguments/options.js";
import { longName } from "./arguments/parser.js";
import { blobs } from "./blobs/program.js";
import { bundle } from "./bundle.js";
import { completion } from "./completion/completion.js";
import { backup } from "./copies/backup.js";
import { db } from "./copies/database-commands.js";
import { recover } from "./copies/recover.js";
import { restore } from "./copies/restore.js";
import { upgradeCheck } from "./copies/upgrade-check.js";
import { decode } from "./decode/decode.js";
import { diff } from "./diff/diff.js";
import { explore } from "./explore/explore.js";
import { commandsPage, firstPage, optionsPage, type Section } from "./first-page.js";
import { ledger } from "./ledger.js";
import { contexts } from "./node/contexts.js";
import { du } from "./node/du.js";
import { find } from "./node/find.js";
import { groups } from "./node/groups.js";
import { hash } from "./node/hash.js";
import { log } from "./node/log.js";
import { members } from "./node/members.js";
import { migration } from "./node/migration.js";
import { minimise } from "./node/minimise.js";
import { show } from "./node/show.js";
import { stuck } from "./node/stuck.js";
import { why } from "./node/why.js";
import { whyNot } from "./node/why-not.js";
import { deleteCommand } from "./rows/delete.js";
import { exportCommand } from "./rows/export.js";
import { importCommand } from "./rows/import.js";
import { put } from "./rows/put.js";
import { scan } from "./rows/scan.js";
import { unknown } from "./rows/unknown.js";
import { explain } from "./schema/explain.js";
import { schema } from "./schema/schema.js";
import { seeAlso } from "./see-also.js";
import { sql } from "./sql/sql.js";
import { abi } from "./state/abi.js";
import { bisect } from "./state/bisect.js";
import { state } from "./state/state.js";
import { metrics } from "./status/metrics.js";
import { status } from "./status/status.js";
import { verify } from "./verify/verify.js";
import { watch } from "./watch/watch.js";

/** The sections of the help, in order. */
const sections: readonly Section[] = [
  {
    title: "Look",
    commands: [status, groups, contexts, members, log, show, state, migration, find, du, explore, watch],
  },
  { title: "Ask why", commands: [why, whyNot, hash, stuck, bisect, minimise] },
  { title: "Check", commands: [verify, metrics, upgradeCheck, unknown] },
  {
    title: "Compare and move",
    commands: [diff, backup, restore, recover, exportCommand, importCommand, bundle, db],
  },
  { title: "Change", commands: [put, deleteCommand, blobs] },
  { title: "Developers", commands: [scan, sql, schema, decode, explain, abi, completion, ledger] },
];

const commands = sections.flatMap((section) => section.commands);

/** All commands. */
export const merostore: CommandGroup = {
  name: "merostore",
  description: "Inspect, verify, back up and repair the database of a Calimero node.",
  commands,
  shows: "status",
  elsewhere: {
    check: "verify DB",
    convert: "db convert DB NEW --to REVISION",
    copy: "db copy DB NEW",
    decrypt: "db decrypt DB NEW --key-file FILE",
    encrypt: "db encrypt DB NEW --key-file FILE",
    get: "show DB KIND part=value",
    history: "log DB",
    info: "status DB --rows",
    ls: "status DB",
    rekey: "db rekey DB NEW --key-file FILE --new-key-file FILE",
    tour: "status DB",
    version: "--version",
  },
  help: `Examples:
  merostore node/data                           # the node on one screen
  merostore log node/data office --limit 10     # who did what, newest first
  merostore state node/data lobby               # the application's own data
  merostore verify node/data                    # what is wrong, where, and what to do
  merostore backup node/data backups/today      # a copy, while the node runs

merostore help COMMAND       what a command does, with examples
merostore help commands      all commands, each in a line
merostore help options       what all commands share: databases, output, secrets, status`,
  seeAlso,
  pages: {
    "": (width) => firstPage(merostore, sections, width),
    commands: (width) => commandsPage(sections, width),
    options: (width) => optionsPage(shared, ABOUT_ALL, width),
  },
};

/** The typed options of all commands that read. */
const shared = [
  ...Object.entries({ ...reading, ...tableLook }).map(
    ([name, option]: [string, Option<unknown>]) =>
      [
        [option.short && `-${option.short},`, longName(name), option.placeholder].filter(Boolean).join(" "),
        option,
      ] as const,
  ),
  ["--no-pager", flag("output longer than the screen does not go through $PAGER")] as const,
];

const ABOUT_ALL = `Many commands also have --json, --utc and --reveal-secrets; -o is for tables and lists, --bytes for sizes.

A database is the folder that holds the file CURRENT, or the home of a node, which has config.toml, or data and blobs; or a
node on a server, postgres://USER@HOST/DATABASE?node=NAME. MEROSTORE_DB names the database of commands that name none: the
first word is the database only if it is a folder or a URL, or has a slash.
A database that is encrypted at rest needs its master key: --key-file FILE, or MEROSTORE_MASTER_KEY.

${writingSentence(commands)} Stop the node before you write.

Output is text on stdout, or JSON with --json; remarks go to stderr. A terminal gets short ids and colours: red for wrong or
removed, green for right or added, yellow for changed or worth a look, bold for names, dim for ids (NO_COLOR and FORCE_COLOR
are honoured). A pipe or file gets whole ids and whole lines. Output longer than the screen goes through $PAGER.
Secrets are shown as "redacted" unless --reveal-secrets is given. "merostore schema" lists the kinds of rows.

Status: 0 done; 1 negative result (not found, different, errors found); 2 usage error;
3 the database cannot be opened or read; 4 "verify" finds nothing wrong, but a newer node wrote rows that it cannot check.`;
