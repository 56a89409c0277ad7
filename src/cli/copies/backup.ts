import { counted, size } from "../../bytes/quantity.js";
import { backupDatabase } from "../../engines/index.js";
import { invalidArgument } from "../../errors.js";
import { backupNode } from "../../transfer/index.js";
import { command } from "../arguments/command.js";
import { kindOfLocation } from "../arguments/location.js";
import { databaseFolder, homeAt } from "../database/database-folder.js";

/** Copies a database, also beside a running node. */
export const backup = command({
  words: "backup <db> <folder>",
  description: "copy a database by its files, even while its node runs",
  options: {},
  help: `The copy has every write that was done before the command began, and later writes up to some moment; a batch of
writes is in it as a whole or not at all. It is a database like the original: open it, verify it, compare it. The folder
gets its name when everything is written, synced and read through; the command refuses a damaged table. Only its owner
can open the copy.

Put a copy in the original's place only if the node has written nothing since. A node that goes on from an older copy
may never again agree with its peers about what it had written after the copy: let it join anew, with an empty folder.

The copy of a database has no blob files and no configuration of the node. Name the node's home instead, the folder with
config.toml, or with data and blobs: the copy then has the database, the blobs' files as they are after that, and
config.toml if it is there, which holds the node's private key. No copy has the log that RocksDB writes for people.

Examples:
  merostore backup node/data backup/2026-11-21
  merostore backup node-home backup/home`,

  async run(terminal, { db, folder }) {
    if (kindOfLocation(db) === "server")
      throw invalidArgument(
        "backup copies the files of a folder; `merostore db copy` copies a database on a server",
      );
    using progress = terminal.progress("backup");
    const options = { onProgress: progress.show };
    const home = homeAt(db);
    const made =
      home === undefined
        ? { ...(await backupDatabase(databaseFolder(db), folder, options)), blobFiles: 0, blobBytes: 0 }
        : await backupNode(home, folder, options);
    for (const { message } of made.warnings) terminal.remark(message);
    const blobs =
      home === undefined
        ? ""
        : `; and ${size(made.blobBytes)} of blobs in ${counted(made.blobFiles, "file")}`;
    terminal.remark(
      `${size(made.bytes)} copied to ${folder}: ${counted(made.tables, "table")}, ${counted(made.logs, "write-ahead log")}${blobs}`,
    );
    return 0;
  },
});
