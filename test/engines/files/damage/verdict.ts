/** The verdict about two engines' answers for the same damaged database. */

import type { RawRow } from "../../../../src/engines/index.js";
import { isMerostoreError } from "../../../../src/errors.js";
import { equalRows, type FamilyReading, isPrefix, type Reading } from "./reading.js";

/** The rows of each family. */
export type Rows = ReadonlyMap<string, readonly RawRow[]>;

/** The endings of a case. */
export const endings = [
  "an error in both",
  "an error here, rows in RocksDB",
  "an error here, RocksDB never ends",
  "all rows in both",
  "fewer rows of the log in both, with a warning",
  "fewer rows of the log, with a warning here only",
  "fewer rows of the log in both, in silence",
  "fewer rows of the log, with a warning; RocksDB never ends",
  "an error; RocksDB is not asked",
  "all rows; RocksDB is not asked",
  "fewer rows of the log; RocksDB is not asked",
] as const;
export type Ending = (typeof endings)[number];

/** The facts about a case beside the answers of the engines. */
export interface Expectation {
  /** The rows of the undamaged database. */
  readonly whole: Rows;
  /** If a log was damaged: the rows without the damaged record and all after it. */
  readonly before: Rows | undefined;
  /** True if the damaged log is well-formed and shorter, so that nobody can tell. */
  readonly invisible: boolean;
  /** True if RocksDB cannot open the undamaged database either. */
  readonly isOursAlone: boolean;
}

/** Errors that damage may end in. LOG_MISSING: nothing else shows that a MANIFEST was cut between records. */
const CODES = ["DATABASE_DAMAGED", "FORMAT_UNSUPPORTED", "NOT_A_DATABASE", "LOG_MISSING"] as const;

/**
 * The ending of a case.
 *
 * @param rocks undefined when RocksDB was not asked, because it would never answer
 * @throws Error saying which rule is broken
 */
export function judge(files: Reading, rocks: Reading | undefined, expectation: Expectation): Ending {
  const failed = errorsOf(files);
  for (const [place, error] of failed) {
    if (!CODES.some((code) => isMerostoreError(error, code))) throw wrong(`${place} fails otherwise`, error);
  }
  if (rocks !== undefined) checkErrors(files, rocks);
  const { whole, before, invisible, isOursAlone } = expectation;
  const isWhole = hasRowsOf(files, whole, whole);
  if (!isWhole && !invisible && !(before !== undefined && hasRowsOf(files, before, whole)))
    throw wrong("the rows are not those of the undamaged database, nor of the beginning of its log");
  if (isOursAlone) {
    if (failed.length > 0) return "an error; RocksDB is not asked";
    if (isWhole) return "all rows; RocksDB is not asked";
    if (!invisible && files.warnings.length === 0) throw wrong("damage is passed over without a warning");
    return "fewer rows of the log; RocksDB is not asked";
  }
  if (failed.length > 0) {
    if (rocks === undefined) return "an error here, RocksDB never ends";
    return errorsOf(rocks).length > 0 ? "an error in both" : "an error here, rows in RocksDB";
  }
  const warns = files.warnings.length > 0;
  if (rocks === undefined) {
    if (!warns) throw wrong("damage is passed over without a warning");
    return "fewer rows of the log, with a warning; RocksDB never ends";
  }
  const rocksWarns = rocks.warnings.length > 0;
  if (rocksWarns && !warns) throw wrong("only RocksDB warns");
  if (isWhole && !warns) {
    checkEqual(files, rocks);
    return "all rows in both";
  }
  if (warns && !rocksWarns) return "fewer rows of the log, with a warning here only";
  checkEqual(files, rocks);
  return warns
    ? "fewer rows of the log in both, with a warning"
    : "fewer rows of the log in both, in silence";
}

/** An error of RocksDB must be an error here, too. */
function checkErrors(files: Reading, rocks: Reading): void {
  if (files.opening !== undefined) return;
  if (rocks.opening !== undefined) {
    if (errorsOf(files).length === 0) throw wrong("only RocksDB fails at opening", rocks.opening.error);
    return;
  }
  for (const [name, theirs] of ways(rocks)) {
    const ours = new Map(ways(files)).get(name);
    for (const [column, { error }] of theirs) {
      if (error !== undefined && ours?.get(column)?.error === undefined)
        throw wrong(`only RocksDB fails reading ${column} ${name}`, error);
    }
  }
}

/** Returns whether each family has the expected rows up to its error. The keys of `whole` were looked up. */
function hasRowsOf(files: Reading, expected: Rows, whole: Rows): boolean {
  for (const [name, families] of ways(files)) {
    for (const [column, { rows, error }] of families) {
      const forward = expected.get(column);
      if (forward === undefined) return false;
      // A family that cannot be read forward cannot be read backward, but lookups of its keys may succeed.
      const fails = files.forward.get(column)?.error !== undefined;
      if (error === undefined ? fails && name === "backward" : !fails) return false;
      let all = forward;
      if (name === "backward") all = forward.toReversed();
      if (name === "by key") all = withKeysOf(forward, whole.get(column) ?? []);
      if (error === undefined ? !equalRows(rows, all) : !isPrefix(rows, all)) return false;
    }
  }
  return files.opening !== undefined || files.forward.size === expected.size;
}

function withKeysOf(rows: readonly RawRow[], others: readonly RawRow[]): RawRow[] {
  const keys = new Set(others.map(({ key }) => Buffer.from(key).toString("latin1")));
  return rows.filter(({ key }) => keys.has(Buffer.from(key).toString("latin1")));
}

function checkEqual(files: Reading, rocks: Reading): void {
  for (const [name, theirs] of ways(rocks)) {
    const ours = new Map(ways(files)).get(name) as ReadonlyMap<string, FamilyReading>;
    if (String([...ours.keys()].sort()) !== String([...theirs.keys()].sort()))
      throw wrong("RocksDB has other families");
    for (const [column, { rows }] of theirs) {
      if (!equalRows(ours.get(column)?.rows ?? [], rows)) throw wrong(`RocksDB has other rows in ${column}`);
    }
  }
}

function ways(reading: Reading): [string, ReadonlyMap<string, FamilyReading>][] {
  return [
    ["forward", reading.forward],
    ["backward", reading.backward],
    ["by key", reading.byKey],
  ];
}

/** The errors of a reading, each with the failed call before it. */
export function errorsOf(reading: Reading): [string, unknown][] {
  const errors = ways(reading).flatMap(([name, families]) =>
    Array.from(families, ([column, { error }]): [string, unknown] => [`reading ${column} ${name}`, error]),
  );
  if (reading.opening !== undefined) errors.push(["opening", reading.opening.error]);
  return errors.filter(([, error]) => error !== undefined);
}

function wrong(what: string, cause?: unknown): Error {
  return new Error(cause === undefined ? what : `${what}: ${String(cause)}`, { cause });
}
