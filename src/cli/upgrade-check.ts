import { count, counted } from "../bytes/quantity.js";
import { checkUpgrade, type UpgradeCheck } from "../convert/index.js";
import { command } from "./command.js";
import { chosenRevision, to } from "./convert.js";
import { openDatabase } from "./database.js";
import { engine, json, keyFile } from "./options.js";
import { printable, table } from "./text.js";

/** Says what a newer node reads of a database. Status 1 if it does not read everything. */
export const upgradeCheck = command({
  words: "upgrade-check <db>",
  description: "what a newer node could read of a database, and what not",
  options: { to, engine, keyFile, json },
  help: `Decodes every row as a node of that revision would. A node converts nothing when it opens an older database: it
keeps what it cannot read, adds column families, and the older node cannot open the database any more.

Columns: "read" rows mean the same as before. "Missed" rows decode, but name something that does not exist any
more. "Unreadable" rows do not decode. "Unused" rows are read by nothing.
Nothing is written. Status 0 if the node reads everything, or the database is of that revision already, 1 if it
does not.

Example:
  merostore upgrade-check fixtures/core-0.10/node-a/db --to core-0.11`,

  async run(terminal, { db }, options) {
    const revision = chosenRevision(options.to);
    await using store = await openDatabase(terminal, db, options);
    if (store.schema.name === revision) {
      terminal.remark(`merostore: the database is of ${revision} already`);
      return 0;
    }
    using progress = terminal.progress("upgrade-check");
    const checked = await checkUpgrade(store.raw, {
      to: revision,
      onProgress: (rows, share) => progress.at(rows, share),
    });
    if (options.json) for (const kind of checked.kinds) await terminal.line(JSON.stringify(kind));
    else for (const line of lines(checked)) await terminal.line(line);
    await terminal.flush();
    const { rows, read } = checked;
    terminal.remark(
      `merostore: a node of ${revision} reads ${count(read)} of ${counted(rows, "row")}${advice(checked)}`,
    );
    return read === rows ? 0 : 1;
  },
});

function lines({ kinds }: UpgradeCheck): string[] {
  const cells = kinds.map(({ column, kind, part, rows, read, missed, unreadable, unused }) => [
    printable(column),
    `${kind ?? "unknown"}${part === undefined ? "" : `, ${part}`}`,
    ...[rows, read, missed, unreadable, unused].map((number) => count(number)),
  ]);
  const head = ["column family", "kind", "rows", "read", "missed", "unreadable", "unused"];
  const losses = kinds.filter(({ rows, read }) => read < rows);
  const means = losses.map(
    ({ kind, part, means }) => `  ${kind ?? "unknown"}${part === undefined ? "" : `, ${part}`}: ${means}`,
  );
  return [...table([head, ...cells], [2, 3, 4, 5, 6]), ...(means.length === 0 ? [] : ["", ...means])];
}

function advice({ rows, read }: UpgradeCheck): string {
  if (read === rows) return "";
  return '. Keep a backup before the upgrade: the older node cannot open the database afterwards. "merostore convert" writes what converts into a new database';
}
