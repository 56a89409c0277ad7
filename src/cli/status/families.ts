/** The column families of a database: their rows by kind, as text and as JSON. */

import { count, counted } from "../../bytes/quantity.js";
import type { EncryptionCount } from "../../encryption/index.js";
import type { Capabilities } from "../../engines/index.js";
import { familyName, revisions } from "../../schemas/index.js";
import { type ColumnCount, countRows, type RowCount, type Store } from "../../store/index.js";
import type { ExitStatus } from "../arguments/command.js";
import { kindOfLocation, shownLocation } from "../arguments/location.js";
import { blobsBeside } from "../database/database-folder.js";
import { fieldLines } from "../output/lines.js";
import { type Fitting, fittedTable } from "../output/table.js";
import type { Terminal } from "../output/terminal.js";
import { type Cell, printable } from "../output/text.js";
import { encryptionText } from "../verify/encryption-text.js";

/** Reports damaged column families on stderr. Returns status 3 if there are any, else 0. */
export async function remarkDamage(
  terminal: Terminal,
  families: readonly ColumnCount[],
): Promise<ExitStatus> {
  const errors = families.flatMap(({ error }) => error ?? []);
  await terminal.flush();
  for (const error of errors) terminal.remark(error);
  return errors.length > 0 ? 3 : 0;
}

/** Counts the rows of every column family, and shows the progress. */
export async function countFamilies(terminal: Terminal, store: Store): Promise<readonly ColumnCount[]> {
  using progress = terminal.progress("status");
  const families: ColumnCount[] = [];
  for await (const family of countRows(store, { onProgress: progress.show })) families.push(family);
  return families;
}

/** Lines about the database, and the rows of each column family by kind. */
export function familyLines(
  store: Store,
  path: string,
  families: readonly ColumnCount[],
  encryption: EncryptionCount | undefined,
  { width, size, sizeCell }: Pick<Terminal, "width" | "size" | "sizeCell">,
): string[] {
  const rows = sum(families, "rows");
  const unflushed = sum(families, "unflushed");
  const blobs = blobsBeside(path);
  const head: (readonly [string, string])[] = [
    ["database", shownLocation(path)],
    ...(blobs === undefined ? [] : [["blobs", blobs] as const]),
    ["revision", `${store.schema.name}: ${reasonOf(store)}`],
    ["engine", engineText(store, path)],
    ["rows", `${count(rows)}, ${size(sum(families, "bytes"))} of keys and values`],
    ...(encryption === undefined ? [] : [["encryption", encryptionText(encryption)] as const]),
    ...(store.raw.unflushed === undefined ? [] : [["log", logText(unflushed)] as const]),
    ...store.warnings.map(({ message }) => ["warning", message] as const),
  ];
  const lines = fittedTable(familyRows(families, sizeCell), FAMILY_TABLE, width);
  return [...fieldLines(head, width), "", ...lines, ...evidenceLines(store, width)];
}

/** The layout of the table of {@link familyRows} on a terminal. */
export const FAMILY_TABLE: Fitting = { right: [1, 2], wrap: [3], cut: [0] };

/** The table of column families. */
export function familyRows(families: readonly ColumnCount[], size: Terminal["sizeCell"]): Cell[][] {
  const used = families.filter(({ rows, known, error }) => rows > 0 || known || error !== undefined);
  const cells = used.map(({ column, known, rows, bytes, kinds, error }) => [
    known ? column : `${printable(column)} (unknown)`,
    rows,
    size(bytes),
    [kindsText(kinds), error === undefined ? "" : "damaged: the rest cannot be read"]
      .filter(Boolean)
      .join(", "),
  ]);
  return [["column family", "rows", "bytes", "kinds of rows"], ...cells];
}

export function engineText(store: Store, path: string): string {
  const { engine, writable, reason } = capabilitiesOf(store, path);
  return `${engine}, ${writable ? "read-write" : "read-only"}${reason === undefined ? "" : `: ${reason}`}`;
}

/** The rows of an export are in memory, and its file cannot be written. */
function capabilitiesOf({ raw: { capabilities } }: Store, path: string): Capabilities {
  const isExport = kindOfLocation(path) === "file";
  return isExport ? { ...capabilities, writable: false, reason: "the rows of an export" } : capabilities;
}

function kindsText(kinds: ReadonlyMap<string, Readonly<RowCount>>): string {
  return [...kinds].map(([kind, { rows }]) => `${kind || "unknown rows"} ${count(rows)}`).join(", ");
}

/** The evidence for the revision of each family of rows, for a database with several revisions. */
function evidenceLines(store: Store, width: number | undefined): string[] {
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
  return [
    "",
    ...fittedTable([head, ...rows], { right: [1, 2, 3, 4], wrap: [names.length + 2], cut: [0] }, width),
  ];
}

/** The changes that no table file has. */
export function logText(unflushed: number): string {
  return unflushed === 0
    ? "everything is in table files"
    : `${counted(unflushed, "change is", "changes are")} only in the write-ahead log`;
}

/** The content of the lines as JSON. */
export function familiesToJson(
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
    engine: capabilitiesOf(store, path),
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

/** The sum of a number over all column families. */
export function sum(families: readonly ColumnCount[], field: "rows" | "bytes" | "unflushed"): number {
  return families.reduce((total, family) => total + family[field], 0);
}
