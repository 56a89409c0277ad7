/** Writes one file with all facts for a report of a fault. */
import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { counted } from "../bytes/quantity.js";
import { Column } from "../columns/index.js";
import { invalidArgument } from "../errors.js";
import { CalimeroNode } from "../node/index.js";
import { countRows, type Store } from "../store/index.js";
import { type ExportSummary, exportStore } from "../transfer/index.js";
import { type Finding, verifyStore, workerThreads } from "../verify/index.js";
import { command } from "./arguments/command.js";
import { kindOfLocation } from "./arguments/location.js";
import { flag, text } from "./arguments/option-kinds.js";
import { opening } from "./arguments/options.js";
import { openDatabase } from "./database/database.js";
import { databaseFolder } from "./database/database-folder.js";
import { checkOut, writeOut } from "./output/out-file.js";
import type { Terminal } from "./output/terminal.js";
import { printable, shellWord } from "./output/text.js";
import { countsText } from "./verify/findings.js";
import { version } from "./version.js";

/** Column families with data of applications: values, keys of collections, and hashes of short data. */
const DATA: readonly string[] = [
  Column.State,
  Column.PrivateState,
  Column.Delta,
  Column.AbsorbBuffer,
  Column.SortedIndex,
  Column.SortedIndexMeta,
  Column.UnifiedOp,
  Column.SearchIndex,
  Column.SearchDirty,
  Column.SnapshotStage,
];

/** The hex digits of the two ids at the beginning of their keys. In SortedIndex, application data follows. */
const TWO_IDS = 128;

/** The most findings in a report, severe ones first, and the bytes from the end of each log. */
const MOST_FINDINGS = 300;
const LOG_BYTES = 32 * 1024;

/** The most files of a database in a report. */
const MOST_FILES = 1_000;

/** Writes a report about a database and its rows into a file. */
export const bundle = command({
  words: "bundle <db>",
  description: "write one file for a bug report: findings, versions, files and rows, without secrets",
  options: {
    out: text("<file>", "the file to write, which gets its name when it is complete", { short: "o" }),
    withData: flag(
      "also the rows with the data of applications: State, Delta, UnifiedOp, SortedIndex and others",
    ),
    force: flag("take the place of a file that is there"),
    ...opening,
  },
  help: `The file has the versions of merostore, Node and the database, the names and sizes of the database's files, the end of
the log that RocksDB writes for people, what "verify" finds, and all rows but those with the data of applications and
secrets. Names of people, groups and contexts are in it. With --with-data it has the rows of applications too: then a
replay of the deltas is possible. Look at it before you give it to anyone.

It is a packed export whose first line has the report. Every command that reads opens it as a database, in memory, and
ends with status 3 if its answer needs rows that are left out. Members are known without their keys.

Of a column family with a damaged table it has the rows up to the damage, and the report names it; then the status is 1.

Examples:
  merostore bundle node/data -o report.ndjson.gz
  merostore bundle node/data --with-data -o whole.ndjson.gz
  merostore contexts whole.ndjson.gz
  zcat report.ndjson.gz | sed -n 1p | jq .report.verify`,

  async run(terminal, { db }, options) {
    const { out, withData } = options;
    if (out === undefined) throw invalidArgument("name the file to write: -o report.ndjson.gz");
    checkOut(out);
    if (!options.force && kindOfLocation(out) !== "missing")
      throw invalidArgument(`${out} is there already: name another file, or replace it with --force`);
    await using store = await openDatabase(terminal, db, options);
    const report = await reportOf(terminal, db, store, options);
    const columns = withData ? undefined : store.columns.filter((column) => !DATA.includes(column));
    const missing = report.missing.filter(({ column }) => columns?.includes(column) ?? true);
    const lines = exportStore(store, {
      columns,
      report,
      onDamage: (column, why) => {
        if (!missing.some((one) => one.column === column)) missing.push({ column, why });
      },
    });
    let summary: ExportSummary = { rows: 0, withoutValue: 0, undecrypted: 0 };
    const pieces = async function* () {
      summary = yield* lines;
    };
    await writeOut(out, [Readable.from(pieces()), createGzip()]);
    terminal.remark(`verify says of ${db}: ${report.verify.verdict}`);
    terminal.remark(
      `${counted(summary.rows, "row")} in ${out}, ${summary.withoutValue} of them without values that are secret or not understood; ${withData ? "the data of applications is in it" : "without the data of applications"}`,
    );
    terminal.remark(
      `look at it before you give it to anyone: zcat ${shellWord(out)} | sed -n 1p | jq .report`,
    );
    for (const { column, why } of missing)
      terminal.remark(`rows of ${printable(column)} are missing: ${why}`);
    return missing.length > 0 ? 1 : 0;
  },
});

/** The column families that cannot be read to their end. */
async function damagedIn(
  store: Store,
): Promise<readonly { readonly column: string; readonly why: string }[]> {
  const damaged: { column: string; why: string }[] = [];
  for await (const { column, error } of countRows(store))
    if (error !== undefined) damaged.push({ column, why: error });
  return damaged;
}

async function reportOf(
  terminal: Terminal,
  db: string,
  store: Store,
  { withData, acceptLogLoss }: { readonly withData: boolean; readonly acceptLogLoss: boolean },
) {
  const { detection, schema, warnings } = store;
  const folder = kindOfLocation(db) === "folder" ? databaseFolder(db) : undefined;
  const here = (text: string): string => (folder === undefined ? text : text.replaceAll(folder, "DB"));
  const verify = await verdictOf(terminal, store, withData);
  const isWhole = verify.rules.every(({ rule, errors }) => rule !== "column-readable" || errors === 0);
  // Rules do not notice rows that were lost with a log.
  const lost = acceptLogLoss ? warnings.map(({ message }) => here(message)) : [];
  const verdict = [verify.verdict, ...lost.map((loss) => `not known about the lost rows: ${loss}`)].join(
    "; ",
  );
  const missing = isWhole ? [] : await damagedIn(store);
  return {
    merostore: version,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    revision: schema.name,
    evidence: detection?.reason ?? null,
    engine: store.raw.capabilities.engine,
    warnings: warnings.map(({ code, message }) => ({ code, message: here(message) })),
    missing: missing.map(({ column, why }) => ({ column, why: here(why) })),
    files: folder === undefined ? [] : filesIn(folder),
    logs: folder === undefined ? [] : logsIn(folder),
    verify: { ...verify, verdict },
  };
}

async function verdictOf(terminal: Terminal, store: Store, withData: boolean) {
  await using work = workerThreads();
  using progress = terminal.progress("verify");
  const { leftOut } = new CalimeroNode(store).unread;
  const verification = verifyStore(store, { work, leftOut, onProgress: progress.show });
  const found: Record<Finding["severity"], Finding[]> = { error: [], warning: [], info: [] };
  for await (const finding of verification) {
    const list = found[finding.severity];
    if (list.length < MOST_FINDINGS) list.push(withData ? finding : withoutData(finding));
  }
  const { rules, columns, ...totals } = await verification.summary();
  const findings = [...found.error, ...found.warning, ...found.info].slice(0, MOST_FINDINGS);
  return { verdict: countsText(totals), ...totals, columns, rules, findings };
}

/** Removes data and its hashes from a finding: short data could be guessed from a hash. */
function withoutData(finding: Finding): Finding {
  if (!DATA.includes(finding.column)) return finding;
  const { found: _found, expected: _expected, ...rest } = finding;
  return { ...rest, key: finding.key?.slice(0, TWO_IDS) ?? null };
}

/** The names and sizes of the files in a database's folder, including files that nodes do not write. */
function filesIn(folder: string) {
  const names = readdirSync(folder).sort().slice(0, MOST_FILES);
  return names.flatMap((name) => {
    const found = statSync(join(folder, name), { throwIfNoEntry: false });
    return found === undefined ? [] : { name, bytes: found.size, changed: found.mtime.toISOString() };
  });
}

/** The ends of RocksDB's text logs, without the paths of this machine. */
function logsIn(folder: string) {
  const names = readdirSync(folder).filter((name) => /^LOG(?:\.old\.\d+)?$/.test(name));
  return names
    .sort()
    .slice(-2)
    .map((name) => {
      const text = endOf(join(folder, name)).replaceAll(folder, "DB").replaceAll(homedir(), "~");
      return { name, end: text.split("\n") };
    });
}

function endOf(path: string): string {
  const descriptor = openSync(path, "r");
  try {
    const { size } = fstatSync(descriptor);
    const bytes = Buffer.alloc(Math.min(size, LOG_BYTES));
    const read = readSync(descriptor, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString("utf8", 0, read);
  } finally {
    closeSync(descriptor);
  }
}
