import { count, counted, size } from "../bytes/quantity.js";
import type { EncryptionCount } from "../encryption/index.js";
import type { Capabilities } from "../engines/index.js";
import { familyName, revisions } from "../schemas/index.js";
import { type ColumnCount, countRows, type RowCount, type Store } from "../store/index.js";
import { command, type ExitStatus } from "./command.js";
import { openDatabase } from "./database.js";
import { blobsBeside, databaseFolder } from "./database-folder.js";
import { encryptionOf, encryptionText } from "./encryption-text.js";
import { fitted } from "./lines.js";
import { shownLocation } from "./location.js";
import { flag } from "./option-kinds.js";
import { json, reading } from "./options.js";
import { tableGroups, tableLines } from "./table-files.js";
import type { Terminal } from "./terminal.js";
import { printable, table } from "./text.js";

/** Kinds of rows that the brief form names at most for each column family. */
const BRIEF_KINDS = 8;

/** Prints the revision and engine of a database, and the number of rows in it. */
export const info = command({
  words: "info <db>",
  description: "revision and evidence, column families, rows of each kind, what is only in the log",
  options: { ...reading, files: flag("also the table files: by level, how they are compressed"), json },
  help: `Examples:
  merostore info node/data
  merostore info node/data --files
  merostore info node/data --json | jq '.columns[] | {column, rows}'

Reads every row once to count it. A running node may go on; what it writes meanwhile does not show.
--engine files reads RocksDB's own files, several times as fast as RocksDB; files of a kind that it does not
know are read with RocksDB, and "engine" says why.
Status 3 if a column family is damaged: its rows are counted up to the damage, and the others as always.`,

  async run(terminal, { db }, options) {
    await using store = await openDatabase(terminal, db, options);
    const families = await countFamilies(terminal, store);
    const folder = databaseFolder(db);
    const encryption = await encryptionOf(store);
    const tables = options.files ? await tableGroups(folder) : undefined;
    if (options.json)
      await terminal.line(
        JSON.stringify({ ...toJson(store, folder, families, encryption), ...(tables && { tables }) }),
      );
    else {
      const lines = infoLines(store, folder, families, { encryption });
      if (tables !== undefined) lines.push("", ...tableLines(tables));
      for (const line of fitted(lines, widthOf(terminal))) await terminal.line(line);
    }
    return await remarkDamage(terminal, families);
  },
});

/** Lines are easy to read up to this width. */
const WIDTH = 110;

function widthOf({ width }: Terminal): number | undefined {
  return width === undefined ? undefined : Math.min(width, WIDTH);
}

/** Reports damaged column families on stderr. Returns status 3 if there are any, else 0. */
export async function remarkDamage(
  terminal: Terminal,
  families: readonly ColumnCount[],
): Promise<ExitStatus> {
  const errors = families.flatMap(({ error }) => error ?? []);
  await terminal.flush();
  for (const error of errors) terminal.remark(`merostore: ${error}`);
  return errors.length > 0 ? 3 : 0;
}

/** Counts the rows of every column family, and shows how far it is. */
export async function countFamilies(terminal: Terminal, store: Store): Promise<readonly ColumnCount[]> {
  using progress = terminal.progress("info");
  const families: ColumnCount[] = [];
  for await (const family of countRows(store, (rows) => progress.at(rows))) families.push(family);
  return families;
}

interface InfoDetails {
  readonly brief?: boolean;
  readonly encryption?: EncryptionCount | undefined;
}

/** The readable form. The brief one omits empty column families, and all but the most frequent kinds of the others. */
export function infoLines(
  store: Store,
  path: string,
  families: readonly ColumnCount[],
  { brief = false, encryption }: InfoDetails = {},
): string[] {
  const rows = sum(families, "rows");
  const unflushed = sum(families, "unflushed");
  const used = families.filter(
    ({ rows, known, error }) => rows > 0 || (known && !brief) || error !== undefined,
  );
  const blobs = blobsBeside(path);
  const head = [
    ["database", shownLocation(path)],
    ...(blobs === undefined ? [] : [["blobs", blobs]]),
    ["revision", `${store.schema.name}: ${reasonOf(store)}`],
    ["engine", engineText(store.raw.capabilities)],
    ["rows", `${count(rows)}, ${size(sum(families, "bytes"))} of keys and values`],
    ...(encryption === undefined ? [] : [["encryption", encryptionText(encryption)]]),
    ...(store.raw.unflushed === undefined ? [] : [["log", logText(unflushed)]]),
    ...store.warnings.map((warning) => ["warning", warning]),
  ];
  const cells = used.map(({ column, known, rows, bytes, kinds, error }) => [
    known ? column : `${printable(column)} (unknown)`,
    count(rows),
    size(bytes),
    [
      kindsText(kinds, brief ? BRIEF_KINDS : Number.POSITIVE_INFINITY),
      error === undefined ? "" : "damaged: the rest cannot be read",
    ]
      .filter(Boolean)
      .join(", "),
  ]);
  const [title, ...lines] = table([["column family", "rows", "bytes", "kinds of rows"], ...cells], [1, 2]);
  return [...table(head), "", title as string, ...lines, ...evidenceLines(store)];
}

function engineText({ engine, writable, reason }: Capabilities): string {
  return `${engine}, ${writable ? "read-write" : "read-only"}${reason === undefined ? "" : `: ${reason}`}`;
}

function kindsText(kinds: ReadonlyMap<string, Readonly<RowCount>>, most: number): string {
  const list = [...kinds];
  if (list.length > most) list.sort(([, a], [, b]) => b.rows - a.rows);
  const shown = list.slice(0, most).map(([kind, { rows }]) => `${kind || "unknown rows"} ${count(rows)}`);
  return [...shown, ...(list.length > most ? [`${list.length - most} more kinds`] : [])].join(", ");
}

/** The evidence for each family of rows, of a database with several revisions. */
function evidenceLines(store: Store): string[] {
  const { detection } = store;
  if (detection === undefined || store.schema.name !== "mixed") return [];
  const names = revisions.map(({ name }) => name);
  const rows = detection.evidence.map((family) => [
    familyName(family),
    count(family.sampled),
    ...names.map((name) => count(family.readable[name] ?? 0)),
    Object.keys(family.otherLayouts).join(", "),
  ]);
  const head = ["family", "looked at", ...names, "other layouts"];
  return ["", ...table([head, ...rows], [1, 2, 3, 4])];
}

function logText(unflushed: number): string {
  return unflushed === 0
    ? "everything is in table files"
    : `${counted(unflushed, "change is", "changes are")} only in the write-ahead log`;
}

function toJson(
  store: Store,
  path: string,
  families: readonly ColumnCount[],
  encryption: EncryptionCount | undefined,
): object {
  return {
    database: shownLocation(path),
    blobs: blobsBeside(path) ?? null,
    revision: store.schema.name,
    reason: reasonOf(store),
    evidence: store.detection?.evidence ?? [],
    engine: store.raw.capabilities,
    encryption: encryption ?? null,
    warnings: store.warnings,
    rows: sum(families, "rows"),
    bytes: sum(families, "bytes"),
    unflushed: sum(families, "unflushed"),
    columns: families.map(({ kinds, contexts: _, ...family }) => ({
      ...family,
      kinds: Object.fromEntries(
        [...kinds].map(([kind, { rows, bytes }]) => [kind === "" ? "unknown" : kind, { rows, bytes }]),
      ),
    })),
  };
}

function reasonOf(store: Store): string {
  return store.detection?.reason ?? "named, not detected";
}

function sum(families: readonly ColumnCount[], field: "rows" | "bytes" | "unflushed"): number {
  return families.reduce((total, family) => total + family[field], 0);
}
