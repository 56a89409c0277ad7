import { backupDatabase } from "../engines/index.js";
import { MerostoreError } from "../errors.js";
import { command } from "./command.js";
import { databaseFolder } from "./database-folder.js";
import { kindOfLocation } from "./location.js";
import { counted, size } from "./text.js";

/** Copies a database, beside a running node. */
export const backup = command({
  words: "backup <db> <folder>",
  description: "a copy of a database by its files, also beside a running node",
  options: {},
  help: `The copy has every write that was done before the command began, and later writes up to some moment; a batch of
writes is in it as a whole or not at all. It is a database like the original: open it, verify it, compare it, or put it
in the original's place. The folder gets its name when everything is written, synced and read through; the command
refuses a damaged table. Only its owner can open the copy.

The copy has no blob files, no configuration of the node, and no log that RocksDB writes for people. Copy the blobs
after the database: then every blob that the database names is there.

Example:
  merostore backup node/data backup/2026-11-21`,

  async run(terminal, { db, folder }) {
    if (kindOfLocation(db) === "server")
      throw new MerostoreError(
        "INVALID_ARGUMENT",
        "backup copies the files of a folder; use copy for a database on a server",
      );
    using progress = terminal.progress("backup", "nothing", "MB");
    const { tables, logs, bytes, warnings } = await backupDatabase(databaseFolder(db), folder, (done, all) =>
      progress.at(Math.round(done / 1e6), done / Math.max(1, all)),
    );
    for (const warning of warnings) terminal.remark(`merostore: ${warning}`);
    terminal.remark(
      `merostore: ${size(bytes)} copied to ${folder}: ${counted(tables, "table")}, ${counted(logs, "write-ahead log")}`,
    );
    return 0;
  },
});
