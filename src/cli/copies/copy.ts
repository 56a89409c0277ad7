import { counted, size } from "../../bytes/quantity.js";
import { copyDatabase } from "../../transfer/index.js";
import { command } from "../arguments/command.js";
import { shownLocation } from "../arguments/location.js";
import { engine, json, newEngine } from "../arguments/options.js";
import { databaseFolder } from "../database/database-folder.js";
import { printTable } from "../output/table.js";

/** Copies a database from one engine to another. */
export const copy = command({
  words: "copy <from> <to>",
  description: "copy a database row by row, from any engine to any other",
  options: { engine, newEngine, json },
  help: `Each of the two is a folder, or a node on a server: postgres://USER@HOST:PORT/DATABASE?node=NAME. The first can also
be a folder on a web server: https://HOST/PATH/. The copy has every row as it was when the command began, including
rows of unknown kinds. At the end the command reads both and compares them row by row. The copy cannot be opened
before that. A failed copy is removed; the next command that makes something in that folder removes what a killed one
left. The copy has no blob files and no configuration of the node.

sslmode=verify-full encrypts the connection and checks the server's certificate. The password can be in the URL, in
PGPASSWORD, or in ~/.pgpass, which only you may read.

A URL can omit the parts that PGHOST, PGPORT, PGUSER and PGDATABASE give.

Examples:
  merostore db copy node/data 'postgres:///nodes?node=paris-1'
  merostore db copy 'postgres:///nodes?node=paris-1' paris-1/data
  merostore db copy node/data copied/data`,

  async run(terminal, { from, to }, options) {
    using progress = terminal.progress("copy");
    const { warnings, ...copied } = await copyDatabase(databaseFolder(from), to, {
      engine: options.engine,
      newEngine: options.newEngine,
      onProgress: progress.show,
    });
    for (const { message } of warnings) terminal.remark(message);
    if (options.json) await terminal.json({ to: shownLocation(to), ...copied });
    else {
      const families = copied.columns.filter(({ rows }) => rows > 0);
      const lines = families.map(({ column, rows, bytes }) => [column, rows, size(bytes)]);
      const head = ["column family", "rows", "bytes"];
      await printTable(terminal, [head, ...lines], { right: [1, 2], cut: [0] });
    }
    await terminal.flush();
    terminal.remark(`${counted(copied.rows, "row")} copied to ${shownLocation(to)}, and compared: all equal`);
    return 0;
  },
});
