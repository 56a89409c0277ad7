import { count, counted } from "../../bytes/quantity.js";
import {
  type Converted,
  type ConvertedKind,
  convertDatabase,
  convertedRevisions,
} from "../../convert/index.js";
import { invalidArgument } from "../../errors.js";
import { command } from "../arguments/command.js";
import { choice, flag } from "../arguments/option-kinds.js";
import { engine, json, keyFile, newEngine } from "../arguments/options.js";
import { openDatabase } from "../database/database.js";
import { wrapped } from "../output/lines.js";
import { fittedTable } from "../output/table.js";
import { printable } from "../output/text.js";

const to = choice("<revision>", convertedRevisions, "the revision of the node: required");

/** The chosen revision. @throws MerostoreError INVALID_ARGUMENT without one */
function chosenRevision(chosen: string | undefined): "core-0.11" {
  if (chosen === undefined) throw invalidArgument(`name the revision: --to ${convertedRevisions[0]}`);
  return convertedRevisions[0];
}

/** Converts the database of an older node. */
export const convert = command({
  words: "convert <db> <new>",
  description: "create a database of a newer revision from the database of an older node",
  options: {
    to,
    asBytes: flag("also write rows that are valid as bytes only, for reading and not for a node"),
    engine,
    newEngine,
    keyFile,
    json,
  },
  help: `A node of core-0.11 converts nothing of core-0.10, and cannot read most of it ("upgrade-check" says what). This command
writes what converts exactly into a new database: contexts, their state and history, blobs, applications, aliases,
settings, names and settings of groups. Full hashes of the state and root hashes are recomputed, and references of
blobs are counted.

Members of groups, operations and the node's keys do not convert: core-0.11 has accounts and certificates that
core-0.10 never had. So a namespace or group is not carried over: create or join one with the new node. Rows that do
not convert are listed with the reason, and kept in NEW.left-behind.ndjson. Fields that a converted row
lost are kept there too. The file holds private keys; only you can read it.

--as-bytes also writes rows in which core-0.11 reads an account where core-0.10 has a public key: groups, members,
their names, and data that belongs to one member. Such rows decode, but no node has such an account: nobody is
recognised, and signatures cannot be verified. Of several key pairs, the first becomes the node's own. Use such a
database to read and compare, not for a node.

The old database is only read. The new one gets its name when it is complete. Keep the old one.
An encrypted database becomes a plain one: encrypt it afterwards.
Status 0 when the new database is complete, however many rows are left behind.

Examples:
  merostore db convert fixtures/core-0.10/node-a/db node/converted --to core-0.11
  merostore db convert fixtures/core-0.10/node-a/db node/to-read --to core-0.11 --as-bytes`,

  async run(terminal, { db, new: path }, options) {
    const revision = chosenRevision(options.to);
    await using store = await openDatabase(terminal, db, options);
    using progress = terminal.progress("convert");
    const converted = await convertDatabase(store.raw, path, {
      to: revision,
      asBytes: options.asBytes,
      newEngine: options.newEngine,
      onProgress: progress.show,
    });
    const said = new Set(store.warnings.map(({ message }) => message));
    for (const { message } of converted.warnings) if (!said.has(message)) terminal.remark(message);
    if (options.json) await terminal.json({ to: path, ...converted });
    else await terminal.lines(lines(converted, terminal.width));
    await terminal.flush();
    terminal.remark(summary(converted, path));
    return 0;
  },
});

function lines({ kinds }: Converted, width: number | undefined): string[] {
  const cells = kinds.map(({ column, kind, rows, converted }) => [
    printable(column),
    kind ?? "unknown",
    count(rows),
    count(converted),
    count(rows - converted),
  ]);
  const head = ["column family", "kind", "rows", "converted", "left behind"];
  return [
    ...fittedTable([head, ...cells], { right: [2, 3, 4], cut: [1, 0], leave: [0] }, width),
    ...reasons(kinds).flatMap((line) => wrapped(line, width, 4)),
  ];
}

/** The reasons why rows were left behind, or lost fields. */
function reasons(kinds: readonly ConvertedKind[]): string[] {
  const of = (name: "left" | "lost") =>
    kinds.flatMap(({ kind, [name]: all }) =>
      all.map(({ why, rows }) => `  ${counted(rows, "row")} of ${kind ?? "no known kind"}: ${why}`),
    );
  const left = of("left");
  const lost = of("lost");
  return [
    ...(left.length === 0 ? [] : ["", "left behind:", ...left]),
    ...(lost.length === 0 ? [] : ["", "converted without fields:", ...lost]),
  ];
}

function summary({ rows, converted, written, left, leftBehind }: Converted, path: string): string {
  const done = `${count(converted)} of ${counted(rows, "row")} converted to ${path}, which has ${counted(written, "row")}`;
  if (leftBehind === undefined) return done;
  const kept = left === 0 ? "Lost fields are" : `${counted(left, "row")} left behind, kept`;
  return `${done}. ${kept} in ${leftBehind}: it holds private keys, and only you can read it`;
}
