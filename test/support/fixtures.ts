/** The Rust-written fixtures. A missing fixture fails the suite; nothing is skipped. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Json } from "../../src/codec/index.js";
import { core010, core011, documented, type Schema } from "../../src/schemas/index.js";

const root = new URL("../../fixtures/", import.meta.url).pathname;

export interface FixtureRow {
  readonly column: string;
  readonly kind: string | null;
  readonly key: string;
  readonly parts: { readonly [name: string]: Json } | null;
  readonly value: string;
  readonly decoded?: Json;
}

export interface Vector {
  readonly type: string;
  readonly hex: string;
  readonly accept: boolean;
  readonly reencoded?: string;
  readonly decoded?: Json;
  readonly error?: string;
}

/** The databases with their revision, and the number of rows that each must have. */
export const databases: readonly { readonly name: string; readonly schema: Schema; readonly rows: number }[] =
  [
    { name: "documented/log-and-tables", schema: documented, rows: 789 },
    { name: "documented/tables", schema: documented, rows: 789 },
    { name: "core-0.10/log-and-tables", schema: core010, rows: 507 },
    { name: "core-0.10/tables", schema: core010, rows: 507 },
    { name: "core-0.10/node-a", schema: core010, rows: 495 },
    { name: "core-0.10/node-b", schema: core010, rows: 371 },
    { name: "core-0.11/log", schema: core011, rows: 935 },
    { name: "core-0.11/log-and-tables", schema: core011, rows: 935 },
    { name: "core-0.11/tables", schema: core011, rows: 935 },
    { name: "core-0.11/every-kind-log", schema: core011, rows: 347 },
    { name: "core-0.11/every-kind-tables", schema: core011, rows: 347 },
    { name: "core-0.11/node-a", schema: core011, rows: 1011 },
    { name: "core-0.11/node-a-live", schema: core011, rows: 1011 },
    { name: "core-0.11/node-b", schema: core011, rows: 577 },
    { name: "core-0.11/node-c", schema: core011, rows: 264 },
  ];

/** Databases with the rows of another one, in files of another form. */
const SAME_ROWS = [
  "documented/tables",
  "core-0.10/tables",
  "core-0.11/log",
  "core-0.11/tables",
  "core-0.11/every-kind-log",
  "core-0.11/node-a-live",
];

/** The databases with different rows: enough for tests of code that reads rows, not files. */
export const distinct = databases.filter(({ name }) => !SAME_ROWS.includes(name));

export function fixturePath(...parts: readonly string[]): string {
  return join(root, ...parts);
}

/** The lines of a fixture's rows.jsonl, as text. */
export function fixtureLines(name: string): readonly string[] {
  return readFileSync(fixturePath(name, "rows.jsonl"), "utf8").split("\n").filter(Boolean);
}

export function fixtureRows(name: string): readonly FixtureRow[] {
  return fixtureLines(name).map((line) => JSON.parse(line) as FixtureRow);
}

/** A database in a form that RocksDB's files can have: the folder of `formats` of this name. */
export interface Form {
  readonly name: string;
  /** True if a reader needs no options that the database lacks. */
  readonly readable: boolean;
  /** A library for compressed blocks. */
  readonly needs?: string;
  readonly about: string;
}

export const forms = JSON.parse(readFileSync(fixturePath("formats/formats.json"), "utf8")) as readonly Form[];

export function vectors(revision: string): readonly Vector[] {
  const text = gunzipSync(readFileSync(fixturePath(revision, "vectors.jsonl.gz"))).toString("utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Vector);
}

/** A fresh folder, removed when the scope is left. */
export function temporaryFolder(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "merostore-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** A copy of a fixture's database that may be written to. */
export function copyOfDatabase(name: string): { readonly path: string } & Disposable {
  const folder = temporaryFolder();
  const path = join(folder.path, "db");
  cpSync(fixturePath(name, "db"), path, { recursive: true });
  return { path, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}
