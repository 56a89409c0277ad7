/** Options that several commands have, each under its name on the command line. */
import { folderEngines } from "../../engines/index.js";
import { severities } from "../../findings/index.js";
import { revisions } from "../../schemas/index.js";
import { choice, choiceOr, flag, type Option, text, texts } from "./option-kinds.js";

/** Names of the revisions, the oldest first. */
export const revisionNames = revisions.map(({ name }) => name);
/** The name of the newest revision. */
export const newestRevision = revisionNames.at(-1) as string;

export const revision = choice("<name>", revisionNames, "read as this revision instead of detecting it");
export const thorough = flag("detect the revision from every row, not only from some");
export const engine = choice(
  "<name>",
  folderEngines,
  "the engine for reading: the files alone, or RocksDB itself",
);
export const newEngine = choice(
  "<name>",
  folderEngines,
  "the engine for the new database: sorted tables (files, the default), or RocksDB",
);
export const json = flag("print JSON instead of text, one object per line");
/** The form of ids in text. */
export const idLook = {
  base58: flag("print ids as base58 instead of hex, also in JSON of rows", { isShared: true }),
  short: flag("print only the first digits of ids, as on a terminal", {
    isShared: true,
    conflicts: ["full"],
  }),
  full: flag("print all digits of ids, as in a pipe", { isShared: true }),
};
/** The form of a table or list, for commands that print one unless these options are given. */
export function tableForm(...conflicts: readonly string[]) {
  return choice("<form>", ["name", "wide", "csv"], "only ids, a table with whole cells, or CSV", {
    short: "o",
    conflicts: ["json", ...conflicts],
    isShared: true,
  });
}
/** The form of tables. */
export const tableLook = {
  output: tableForm(),
  bytes: flag("print sizes in bytes, not in kB and MB", { isShared: true }),
};
export const utc = flag("print times in UTC instead of local time");
export const revealSecrets = flag("show private keys, shared keys and private state");
export const acceptLogLoss = flag(
  "open a database without lost writes: logs are missing, or a log to be written or exported ends in damage",
);

export const force = flag("make the change although signed operations say otherwise");
export const dryRun = flag("show the change, and write nothing");

export const keyFile = text(
  "<file>",
  "the master key of an encrypted database, as hex; or MEROSTORE_MASTER_KEY",
);

/** Options for opening a database for reading. */
export const opening = {
  revision: shared(revision),
  thorough: shared(thorough),
  engine: shared(engine),
  acceptLogLoss: shared(acceptLogLoss),
  keyFile: shared(keyFile),
};

/** Options of commands that read a database. */
export const reading = { ...opening, ...idLook };

function shared<Value>(option: Option<Value>): Option<Value> {
  return { ...option, isShared: true };
}
/** Options of commands that write to a database. */
export const writing = {
  revision,
  thorough,
  engine: choice(
    "<name>",
    folderEngines,
    "the engine for writing: the files alone (the default), or RocksDB",
  ),
  nodeIsStopped: flag("state that no node has the database open, which only Linux reports"),
  acceptLogLoss,
  keyFile,
};

/** Options that select the rows of a context, of a group or of a member. */
export const ids = {
  context: text("<id>", "only rows whose key names this context"),
  group: text("<id>", "only rows whose key names this group or namespace"),
  member: text("<id>", "only rows whose key names this member, a device or a key of it"),
};

/** Options that select the rows of some column families, of a context, of a group or of a member. */
export const selection = { column: texts("<name...>", "only these column families"), ...ids };

/** Options of commands that verify a database. */
export const verifying = {
  severity: choiceOr("<severity>", severities, "info", "show only findings that are this severe, or more"),
  all: flag("show all findings of each rule as text, not only ten, and tables of what was checked"),
  strict: flag("end with status 1 also for warnings"),
  quiet: flag("print only the verdict, or with --json the summary", { conflicts: ["all"] }),
};

/** The file that a command writes instead of stdout. */
export const out = text(
  "<file>",
  "write to a file instead of stdout; the file gets its name when it is complete",
  { short: "o" },
);
