/** The command line: all commands, in the order of the help. */
import { backup } from "./backup.js";
import { blobs } from "./blobs/program.js";
import { bundle } from "./bundle.js";
import { type CommandGroup, writingSentence } from "./command.js";
import { completion } from "./completion.js";
import { convert } from "./convert.js";
import { copy } from "./copy.js";
import { deleteCommand } from "./delete.js";
import { diff } from "./diff.js";
import { explain } from "./explain.js";
import { explore } from "./explore.js";
import { exportCommand } from "./export.js";
import { importCommand } from "./import.js";
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
import { put } from "./put.js";
import { recover } from "./recover.js";
import { decrypt, encrypt, rekey } from "./rewrite.js";
import { scan } from "./scan.js";
import { schema } from "./schema.js";
import { sql } from "./sql.js";
import { abi } from "./state/abi.js";
import { bisect } from "./state/bisect.js";
import { state } from "./state/state.js";
import { status } from "./status/status.js";
import { unknown } from "./unknown.js";
import { upgradeCheck } from "./upgrade-check.js";
import { verify } from "./verify.js";
import { watch } from "./watch.js";

/** In the order of the help. */
const commands: CommandGroup["commands"] = [
  status,
  groups,
  contexts,
  members,
  log,
  show,
  state,
  bisect,
  abi,
  find,
  du,
  schema,
  scan,
  put,
  deleteCommand,
  exportCommand,
  bundle,
  importCommand,
  diff,
  hash,
  stuck,
  migration,
  why,
  minimise,
  whyNot,
  backup,
  recover,
  copy,
  convert,
  upgradeCheck,
  encrypt,
  decrypt,
  rekey,
  explain,
  verify,
  unknown,
  explore,
  watch,
  sql,
  blobs,
  ledger,
  completion,
];

/** All commands. */
export const merostore: CommandGroup = {
  name: "merostore",
  description: "Inspect, verify, back up and repair the database of a Calimero node.",
  commands,
  shows: "status",
  elsewhere: {
    check: "verify DB",
    get: "show DB KIND part=value",
    history: "log DB",
    info: "status DB --rows",
    ls: "status DB",
    restore: "copy BACKUP DB",
    tour: "status DB",
    version: "--version",
  },
  help: `Examples:
  merostore node/data                                 # the node on one screen
  merostore status node/data --rows                   # revision, column families, rows of each kind
  merostore scan node/data GroupMember                # every row of a kind
  merostore scan node/data GroupOpLog --limit 10      # rows of operation logs, in sequence order
  merostore explain --type GroupMemberRole 01         # the meaning of a value's bytes
  merostore verify node/data                          # check the rows against each other
  merostore explore node/data                         # the same in the browser
  merostore watch node/data                           # the changes that a running node writes
  merostore sql node/data "from ContextMeta"          # questions in SQL
  merostore blobs list node/data                      # code of applications, and uploaded files
  merostore schema --revision core-0.10               # the layout of every row
  merostore ledger pages data                         # the pages of a Ledger repository
  merostore help scan                                 # more examples, for each command

${writingSentence(commands)} Stop the node before you write.
Output is text on stdout, or JSON with --json; remarks go to stderr. A terminal gets colours (NO_COLOR and FORCE_COLOR are
honoured) and short ids; a pipe or file gets whole ids and whole lines. Output longer than the screen goes through $PAGER;
--no-pager turns that off. Secrets are shown as "redacted" unless --reveal-secrets is given.
A database is the folder that holds the file CURRENT, or the home of a node, which has config.toml, or data and blobs; or a
node on a server, postgres://USER@HOST/DATABASE?node=NAME. MEROSTORE_DB names the database of commands that name none: the
first word is the database only if it is a folder or a URL, or has a slash.
A database that is encrypted at rest needs its master key: --key-file FILE, or MEROSTORE_MASTER_KEY.
"schema" lists the kinds of rows and their parts.
Status: 0 done; 1 negative result (not found, different, errors found); 2 usage error;
3 the database cannot be opened or read; 4 "verify" finds nothing wrong, but a newer node wrote rows that it cannot check.`,
};
