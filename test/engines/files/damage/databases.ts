/** Small databases to damage. */

import { cpSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import type { Engine, WriteOperation } from "../../../../src/engines/index.js";
import { loadBinding, type NativeSession, WalRecovery } from "../../../../src/engines/rocksdb/binding.js";
import { RocksEngine } from "../../../../src/engines/rocksdb/rocks-engine.js";
import { randomNumbers } from "../../../support/random-values.js";

/** A database, with the number of cases of damage that it yields. */
export interface Subject {
  readonly name: string;
  readonly cases: number;
  /** True if the bundled RocksDB cannot open it. */
  readonly isOursAlone?: true;
  /** Makes the database in a folder that may have other files, and returns its path. */
  make(folder: string): Promise<string>;
}

/** @param fixtures the folder of all fixtures */
export function subjects(fixtures: string): readonly Subject[] {
  const fromFixture = (name: string, cases: number): Subject => ({
    name,
    cases,
    make: async (folder) => copyInto(folder, join(fixtures, name, "db")),
  });
  return [
    fromFixture("documented/log-and-tables", 250),
    fromFixture("core-0.10/log-and-tables", 250),
    fromFixture("core-0.11/every-kind-log", 200),
    fromFixture("core-0.11/every-kind-tables", 250),
    { name: "several levels, range deletions and a log", cases: 800, make: severalLevels },
    { name: "a log with long records", cases: 500, make: oneLog },
    { name: "two logs", cases: 300, make: twoLogs },
  ];
}

/**
 * Databases with the options of a node of core-1.0, whose tables are compressed with dictionaries.
 *
 * @param fixtures the folder of all fixtures
 */
export function compressedSubjects(fixtures: string): readonly Subject[] {
  const database = join(fixtures, "core-1.0/samples/node-zstd-dictionary");
  const make = async (folder: string) => copyInto(folder, database);
  return [{ name: "core-1.0/samples/node-zstd-dictionary", cases: 250, isOursAlone: true, make }];
}

/** A copy of a database in a new folder inside of `folder`. */
export function copyInto(folder: string, database: string): string {
  const copy = join(mkdtempSync(join(folder, "copy-")), "db");
  cpSync(database, copy, { recursive: true });
  return copy;
}

const columns = ["a", "b"];

/**
 * Family a: three tables in the lowest level, two above them that override, delete and delete ranges, and rows that are
 * in the log only. Family b: tables that overlap, one of them with only a range deletion. The writer was killed.
 */
function severalLevels(folder: string): Promise<string> {
  const random = randomNumbers(1);
  return killed(folder, async (engine, family) => {
    await engine.write(puts("b", 0, 200, random));
    for (const from of [0, 150, 300]) {
      await engine.write(puts("a", from, from + 150, random));
      await engine.flush();
      await family("a").compactRange();
    }
    await engine.write([
      ...puts("a", 100, 200, random),
      ...deletions("a", 250, 280),
      deleteRange("a", 20, 40),
    ]);
    await engine.write([deleteRange("b", 30, 60)]);
    await engine.flush();
    await engine.write([...puts("a", 400, 500, random), deleteRange("a", 330, 340)]);
    await engine.write(puts("b", 40, 50, random));
    await engine.flush();
    for (let from = 0; from < 500; from += 25) await engine.write(puts("a", from, from + 4, random));
    await engine.write([deleteRange("a", 445, 455), ...deletions("b", 100, 120)]);
    await engine.write([...puts("b", 300, 310, random), ...deletions("a", 1, 3)]);
  });
}

/** Two logs are needed: the first one for family b, which has no tables, unlike family a. Records span blocks. */
function twoLogs(folder: string): Promise<string> {
  const random = randomNumbers(2);
  return killed(folder, async (engine, family) => {
    await writeLong(engine, 0, random);
    await family("a").flush();
    await writeLong(engine, 60, random);
  });
}

/** One log with records that span blocks, and tables from before it. */
function oneLog(folder: string): Promise<string> {
  const random = randomNumbers(3);
  return killed(folder, async (engine) => {
    await engine.write([...puts("a", 0, 100, random), ...puts("b", 0, 10, random)]);
    await engine.flush();
    await writeLong(engine, 50, random);
  });
}

async function writeLong(engine: Engine, first: number, random: () => number): Promise<void> {
  for (let from = first; from < first + 60; from += 3) {
    await engine.write([...puts("a", from, from + 2, random), ...puts("b", from, from + 2, random, 3_000)]);
    if (from % 20 === 0) await engine.write([...deletions("a", from, from + 1), ...deletions("b", 5, 7)]);
  }
  await engine.write(puts("b", first, first + 2, random, 70_000));
  await engine.write(puts("b", first + 70, first + 75, random));
}

/** The private parts of the native package that a test needs. */
interface NativeFamily extends NativeSession {
  compactRange(): Promise<void>;
}

/** The files of a database as they are after some work, while it is still open. */
async function killed(
  folder: string,
  work: (engine: Engine, family: (name: string) => NativeFamily) => Promise<void>,
): Promise<string> {
  const path = join(mkdtempSync(join(folder, "made-")), "db");
  const native = new (await loadBinding())(path, {
    columnFamilies: columns,
    readOnly: false,
    createIfMissing: true,
    createMissingColumnFamilies: true,
    walRecoveryMode: WalRecovery.AbsoluteConsistency,
  });
  await native.ready();
  const engine = new RocksEngine({
    native,
    path,
    folder: path,
    columns: ["default", ...columns],
    writable: true,
    reason: undefined,
    warnings: [],
  });
  const sessions = new Map(
    columns.map((name) => [name, native.session({ columnFamily: name }) as NativeFamily]),
  );
  await work(engine, (name) => sessions.get(name) as NativeFamily);
  const copy = copyInto(folder, path);
  for (const session of sessions.values()) await session.close();
  await engine.close();
  return copy;
}

function key(at: number): Uint8Array {
  return new TextEncoder().encode(`row/${String(at).padStart(4, "0")}${"/more".repeat(at % 4)}`);
}

/** Rows `[from, to)` with values of limited size, half of them compressible. */
function puts(
  column: string,
  from: number,
  to: number,
  random: () => number,
  longest = 120,
): WriteOperation[] {
  return Array.from({ length: to - from }, (_, index) => {
    const value = new Uint8Array(Math.floor(random() * longest));
    value.forEach((_, at) => {
      value[at] = index % 2 === 0 ? index : Math.floor(random() * 256);
    });
    return { type: "put", column, key: key(from + index), value };
  });
}

function deletions(column: string, from: number, to: number): WriteOperation[] {
  return Array.from({ length: to - from }, (_, index) => ({
    type: "delete",
    column,
    key: key(from + index),
  }));
}

function deleteRange(column: string, from: number, to: number): WriteOperation {
  return { type: "deleteRange", column, gte: key(from), lt: key(to) };
}
