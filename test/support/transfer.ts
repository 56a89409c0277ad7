/** Exports as texts, and databases made for a test. */
import { createHash } from "node:crypto";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import {
  type EngineReader,
  openEngine,
  openRocksEngine,
  type RawRow,
  type WriteOperation,
} from "../../src/engines/index.js";
import type { Schema } from "../../src/schemas/index.js";
import { openStore } from "../../src/store/index.js";
import { type ExportOptions, type ExportSource, exportStore } from "../../src/transfer/index.js";

/** A row in the form of fixtures. */
export interface HexRow {
  readonly column: string;
  readonly key: string;
  readonly value: string;
}

/** Operations that put rows. */
export const putsOf = (rows: readonly HexRow[]): WriteOperation[] =>
  rows.map(({ column, key, value }) => ({ type: "put", column, key: fromHex(key), value: fromHex(value) }));

/** The export of a database, with secrets unless `options` exclude them. */
export async function exportText(
  path: string,
  options: ExportOptions & { readonly schema?: Schema } = {},
): Promise<string> {
  const { schema, ...how } = options;
  await using store = await (schema === undefined ? openStore(path) : openStore(path, { schema }));
  let text = "";
  for await (const piece of exportStore(store, { revealSecrets: true, ...how }))
    text += Buffer.from(piece).toString();
  return text;
}

/** A text as the bytes of a file, in pieces. */
export function sourceOf(text: string | Uint8Array, pieceBytes = 64 * 1024): ExportSource {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  return async function* () {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  };
}

/** The lines of an export: the head, the rows, and the counts. */
export function partsOf(text: string): { head: string; rows: string[]; tail: string } {
  const lines = text.trimEnd().split("\n");
  return { head: lines[0] as string, rows: lines.slice(1, -1), tail: lines.at(-1) as string };
}

/** An export of these lines, with correct counts and hash. */
export function sealed(head: string, rows: readonly string[]): string {
  const columns: Record<string, number> = {};
  for (const row of rows) {
    const { column } = JSON.parse(row) as { column: string };
    columns[column] = (columns[column] ?? 0) + 1;
  }
  const lines = rows.map((row) => `${row}\n`).join("");
  const sha256 = createHash("sha256").update(lines).digest("hex");
  return `${head}\n${lines}${JSON.stringify({ rows: rows.length, columns, sha256 })}\n`;
}

/** The same export without its time. */
export function timeless(text: string): string {
  return text.replace(/"time":"[^"]*"/, '"time":""');
}

/** A row as `column key value`, in hex. */
export const rowText = (column: string, { key, value }: RawRow): string =>
  `${column} ${toHex(key)} ${toHex(value)}`;

/** All rows as texts, in the order of their keys, also if they are read backward. */
export async function rowTexts(reader: EngineReader, reverse = false): Promise<string[]> {
  const texts: string[] = [];
  for (const column of reader.columns) {
    const rows = await reader.scan(column, {}, { reverse }).toArray();
    for (const row of reverse ? rows.toReversed() : rows) texts.push(rowText(column, row));
  }
  return texts;
}

/** All rows of a database as `column key value`, sorted. A long value is replaced by its hash. */
export async function rowsAt(path: string): Promise<string[]> {
  await using engine = await openEngine(path);
  const rows: string[] = [];
  for (const column of engine.columns) {
    for await (const { key, value } of engine.scan(column))
      rows.push(`${column} ${toHex(key)} ${shortOf(value)}`);
  }
  return rows.sort();
}

function shortOf(value: Uint8Array): string {
  if (value.length < 1000) return toHex(value);
  return `${value.length}:${createHash("sha256").update(value).digest("hex")}`;
}

/** Makes a database of these rows. */
export async function makeDatabase(
  path: string,
  columns: readonly string[],
  rows: readonly HexRow[],
): Promise<void> {
  await using engine = await openRocksEngine(path, {
    create: true,
    columns: columns.filter((name) => name !== "default"),
  });
  await putRows(engine, rows);
}

/** Writes rows into an existing database. */
export async function changeDatabase(path: string, rows: readonly HexRow[]): Promise<void> {
  await using engine = await openRocksEngine(path, { writable: true });
  await putRows(engine, rows);
}

/** Deletes the key pairs of a node of core-0.10, which an import does not replace by those of another node. */
export async function deleteIdentities(path: string): Promise<number> {
  await using store = await openStore(path, { writable: true });
  const rows = store.table("NamespaceIdentity");
  const count = await rows.count();
  await rows.clear();
  return count;
}

async function putRows(
  engine: Awaited<ReturnType<typeof openRocksEngine>>,
  rows: readonly HexRow[],
): Promise<void> {
  await engine.write(putsOf(rows));
  await engine.flush();
}
