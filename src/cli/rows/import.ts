import { count, counted } from "../../bytes/quantity.js";
import { revisionOf } from "../../schemas/index.js";
import { importExport } from "../../transfer/index.js";
import { command } from "../arguments/command.js";
import { withMasterKey } from "../arguments/master-key.js";
import { flag } from "../arguments/option-kinds.js";
import { keyFile, newEngine, revision, writing } from "../arguments/options.js";
import { databaseFolder } from "../database/database-folder.js";
import { inFile, packedFile } from "../database/packed-file.js";
import { printTable } from "../output/table.js";
import { printable } from "../output/text.js";

/** Makes a database from an export, or adds its rows to one. */
export const importCommand = command({
  words: "import <file> <db>",
  description: "create a new database from an export, or add its rows to one",
  writes: "--into-existing",
  options: {
    revision,
    intoExisting: flag("add the rows to a database, over those with the same keys"),
    dryRun: flag("with --into-existing: count the new, different and same rows, and write nothing"),
    withoutSecrets: flag("take an export without secrets, without the rows that have none of their values"),
    acceptLogLoss: writing.acceptLogLoss,
    engine: writing.engine,
    nodeIsStopped: writing.nodeIsStopped,
    newEngine,
    keyFile,
  },
  help: `The command checks every line, and at the end the counts and the hash. A new database gets its name only when it is
complete: if anything is wrong, or the command is interrupted, there is none. With --into-existing, the command checks
the whole file before it writes, and refuses the key pair of another node (NodeIdentity; NamespaceIdentity of a
namespace that both have); if the writing is interrupted, import the file again. Only you can read a new database. The
next command that makes something beside it removes what a killed import left.

Packed files are unpacked. One that unpacks to more than 512 MiB and 200 times its size is refused: unpack it with
gunzip first if you trust it.

Examples:
  merostore import node.ndjson.gz node/restored
  merostore import groups.ndjson node/data --into-existing

Stop the node first when importing into its database: only one process can write.`,

  async run(terminal, { file, db }, { keyFile, revision, ...options }) {
    using progress = terminal.progress("import");
    const packed = packedFile(file);
    const { intoExisting } = options;
    const all = (intoExisting ? 2 : 1) * packed.size;
    const imported = await withMasterKey(keyFile, (masterKey) =>
      importExport(packed.open, intoExisting ? databaseFolder(db) : db, {
        ...options,
        schema: revision === undefined ? undefined : revisionOf(revision),
        masterKey,
        onProgress: ({ done, unit, total = Math.ceil(done / Math.min(0.99, packed.read() / all)) }) =>
          progress.show({ done, unit, total }),
      }).catch((error) => {
        throw inFile(file, error);
      }),
    );
    if (imported.families === undefined)
      terminal.remark(`${counted(imported.rows, "row")} imported into ${db}`);
    else {
      const cells = [...imported.families].map(([column, rows]) => [
        printable(column),
        ...[rows.new, rows.different, rows.same].map(count),
      ]);
      const head = ["", "new", "different", "same"];
      await printTable(terminal, [head, ...cells], { right: [1, 2, 3], cut: [0] });
      terminal.remark("nothing was written: this was a --dry-run");
    }
    if (imported.withoutValue > 0)
      terminal.remark(`${counted(imported.withoutValue, "row")} left out: the export lacks their values`);
    if (imported.selection !== undefined && !intoExisting)
      terminal.remark("the export has only part of a database, so the new database has only that part");
    return 0;
  },
});
