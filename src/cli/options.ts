/** Options that several commands have. Each has the name under which the user types it. */
import { folderEngines } from "../engines/index.js";
import { severities } from "../findings/index.js";
import { revisions } from "../schemas/index.js";
import { choice, choiceOr, flag, type Option, text, texts } from "./option-kinds.js";

/** Names of the revisions, the oldest first. */
export const revisionNames = revisions.map(({ name }) => name);
/** The name of the newest revision. */
export const newestRevision = revisionNames.at(-1) as string;

export const revision = choice("<name>", revisionNames, "read as this revision instead of detecting it");
export const thorough = flag("look at every row to find the revision, not only at some");
export const engine = choice(
  "<name>",
  folderEngines,
  "how to read: by the files alone, or with RocksDB itself",
);
export const newEngine = choice(
  "<name>",
  folderEngines,
  "how to write the new database: as sorted tables (files, the default), or with RocksDB",
);
export const json = flag("JSON instead of text, one object per line");
/** The form of ids in text. */
export const idLook = {
  base58: flag("ids as base58 instead of hex; in JSON of rows too", { isShared: true }),
  short: flag("the first digits of ids, as a terminal has them", { isShared: true, conflicts: ["full"] }),
  full: flag("all digits of ids, as a pipe has them", { isShared: true }),
};
/** The form of a table or list, of commands that print one unless these options are given. */
export function tableForm(...conflicts: readonly string[]) {
  return choice("<form>", ["name", "wide", "csv"], "ids alone, a table with whole cells, or CSV", {
    short: "o",
    conflicts: ["json", ...conflicts],
    isShared: true,
  });
}
/** The form of tables. */
export const tableLook = {
  output: tableForm(),
  bytes: flag("sizes in bytes, not in kB and MB", { isShared: true }),
};
export const utc = flag("times in UTC instead of local time");
export const revealSecrets = flag("show private keys, shared keys and private state");
export const acceptLogLoss = flag(
  "open although write-ahead logs are missing, or to write or export although one ends in damage: without what is lost",
);

export const force = flag("make the change although signed operations say otherwise");
export const dryRun = flag("show the change, and write nothing");

export const keyFile = text(
  "<file>",
  "the master key of an encrypted database, as hex; or MEROSTORE_MASTER_KEY",
);

/** Options of opening a database to read it. */
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
  engine: choice("<name>", folderEngines, "how to write: by the files alone (the default), or with RocksDB"),
  nodeIsStopped: flag("no node has the database open: for systems other than Linux, which do not tell"),
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
  strict: flag("end with status 1 if there are warnings, too"),
  quiet: flag("print only the verdict, with --json the summary", { conflicts: ["all"] }),
};

/** The file that a command writes instead of stdout. */
export const out = text("<file>", "write to a file, which gets its name when it is complete", { short: "o" });
