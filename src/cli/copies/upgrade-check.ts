import { count, counted } from "../../bytes/quantity.js";
import { checkUpgrade, type TakenAlong, takeAlong, type UpgradeCheck } from "../../convert/index.js";
import { invalidArgument } from "../../errors.js";
import type { Store } from "../../store/index.js";
import { command, type ExitStatus } from "../arguments/command.js";
import { choice } from "../arguments/option-kinds.js";
import { engine, json, keyFile } from "../arguments/options.js";
import { openDatabase } from "../database/database.js";
import { refuseLeftOut } from "../database/lacking-rows.js";
import { wrapped } from "../output/lines.js";
import { fittedTable } from "../output/table.js";
import type { Terminal } from "../output/terminal.js";
import { printable } from "../output/text.js";

const [CONVERTED, ANEW] = ["core-0.11", "core-1.0"] as const;
const to = choice("<revision>", [CONVERTED, ANEW], "the revision of the node: required");

/** Prints which parts of a database a newer node can read. Status 1 if it cannot read everything. */
export const upgradeCheck = command({
  words: "upgrade-check <db>",
  description: "list the rows of a database that a newer node can and cannot read",
  options: { to, engine, keyFile, json },
  help: `Decodes every row as a node of that revision would. A node converts nothing when it opens an older database: it
keeps what it cannot read, adds column families, and the older node cannot open the database any more.

A node of core-1.0 reads no state of an older one and converts nothing: it starts from an empty database, and gets
contexts from nodes that have them. So for core-1.0 the answer lists the parts of the database, which of them can be
given to the new node, and the commands that save them.

Columns: "read" rows mean the same as before. "Missed" rows decode, but name something that does not exist any
more. "Unreadable" rows do not decode. "Unused" rows are read by nothing.
Nothing is written. Status 0 if the node reads everything, or the database is of that revision already, 1 if it
does not.

Examples:
  merostore upgrade-check fixtures/core-0.10/node-a/db --to core-0.11
  merostore upgrade-check fixtures/core-0.11/node-a/db --to core-1.0`,

  async run(terminal, { db }, options) {
    const revision = options.to;
    if (revision === undefined) throw invalidArgument(`name the revision: --to ${CONVERTED} or ${ANEW}`);
    await using store = await openDatabase(terminal, db, options);
    if (store.schema.name === revision) {
      terminal.remark(`the database is of ${revision} already`);
      return 0;
    }
    refuseLeftOut(store, store.columns);
    if (revision === ANEW) return await printFreshStart(terminal, store, options);
    using progress = terminal.progress("upgrade-check");
    const checked = await checkUpgrade(store.raw, {
      to: revision,
      onProgress: progress.show,
    });
    if (options.json) for (const kind of checked.kinds) await terminal.json(kind);
    else await terminal.lines(lines(checked, terminal.width));
    await terminal.flush();
    const { rows, read } = checked;
    terminal.remark(
      `a node of ${revision} reads ${count(read)} of ${counted(rows, "row")}${advice(checked)}`,
    );
    return read === rows ? 0 : 1;
  },
});

/** Prints the parts that can be given to a node with an empty database. */
async function printFreshStart(
  terminal: Terminal,
  store: Store,
  options: { readonly json?: boolean | undefined },
): Promise<ExitStatus> {
  using progress = terminal.progress("upgrade-check");
  const { rows, parts } = await takeAlong(store, { onProgress: progress.show });
  if (options.json) for (const part of parts) await terminal.json(part);
  else await terminal.lines(partLines(parts, terminal.width));
  await terminal.flush();
  terminal.remark(
    `a node of ${ANEW} converts nothing of ${store.schema.name}: start it with an empty database, and keep this one`,
  );
  return rows === 0 ? 0 : 1;
}

function partLines(parts: readonly TakenAlong[], width: number | undefined): readonly string[] {
  const cells = parts.map(({ part, rows, taken }) => [
    part,
    count(rows),
    taken ? "can be given to the new node" : "stays behind",
  ]);
  const ways = parts.flatMap(({ part, means, commands }) => [
    "",
    `${part}: ${means}`,
    ...commands.map((words) => `  ${words}`),
  ]);
  return [
    ...fittedTable([["part", "rows", ""], ...cells], { right: [1], wrap: [2, 0] }, width),
    ...ways.flatMap((line) => (line.startsWith(" ") ? [line] : wrapped(line, width, 2))),
  ];
}

function lines({ kinds }: UpgradeCheck, width: number | undefined): string[] {
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
  return [
    ...fittedTable([head, ...cells], { right: [2, 3, 4, 5, 6], cut: [1, 0], leave: [6, 0] }, width),
    ...(means.length === 0 ? [] : ["", ...means.flatMap((line) => wrapped(line, width, 4))]),
  ];
}

function advice({ rows, read }: UpgradeCheck): string {
  if (read === rows) return "";
  return '. Keep a backup before the upgrade: the older node cannot open the database afterwards. "merostore db convert" writes what converts into a new database';
}
