/** RocksDB's own repair of damaged databases, compared with ours. */

import { spawnSync } from "node:child_process";
import { subjects } from "../../engines/files/damage/databases.js";
import type { RowTexts } from "./oracle.js";
import { RecoveryTrial } from "./trial.js";

/** One in `EVERY` cases is compared. */
const EVERY = 8;

/** Milliseconds after which a repair has failed. Some damaged logs make it run for ever. */
const LONGEST = 20_000;

/** The totals of all comparisons. */
export interface RepairFigures {
  readonly table: readonly (readonly string[])[];
  readonly cases: number;
  readonly outside: number;
  readonly recovered: number;
  readonly repaired: number;
}

/**
 * Damages databases, and lets RocksDB repair the same files that a recovery reads.
 *
 * @param fixtures the folder of all fixtures
 * @param folder a temporary one
 * @param program the path of the program `repair` of `fixtures/rust`
 */
export async function compareRepairs(
  fixtures: string,
  folder: string,
  program: string,
  seed: number,
): Promise<RepairFigures> {
  const table = [
    ["", "databases", "RocksDB fails", "rows outside of damage", "RocksDB saves", "recover saves"],
  ];
  const all = { cases: 0, outside: 0, recovered: 0, repaired: 0 };
  for (const subject of subjects(fixtures)) {
    const trial = await RecoveryTrial.of(subject, seed, folder);
    const sum = { cases: 0, refused: 0, outside: 0, recovered: 0, repaired: 0 };
    for (const [at, one] of trial.cases.entries()) {
      if (at % EVERY !== 0) continue;
      const { outside, recovered, repaired, refused } = await trial.compare(one, (path) =>
        repairAt(program, path),
      );
      sum.cases++;
      sum.refused += Number(refused);
      sum.outside += outside;
      sum.recovered += recovered;
      sum.repaired += repaired;
    }
    const { cases, refused, outside, recovered, repaired } = sum;
    table.push([subject.name, ...[cases, refused, outside, repaired, recovered].map(String)]);
    all.cases += cases;
    all.outside += outside;
    all.recovered += recovered;
    all.repaired += repaired;
  }
  return { table, ...all };
}

/** The rows of a database after its repair; undefined if RocksDB does not repair it. */
function repairAt(program: string, path: string): RowTexts | undefined {
  const { status, stdout, error } = spawnSync(program, [path], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    timeout: LONGEST,
  });
  if (error !== undefined && (error as NodeJS.ErrnoException).code !== "ETIMEDOUT") throw error;
  if (status !== 0) return undefined;
  const found = new Map<string, Map<string, string>>();
  for (const line of stdout.trimEnd().split("\n")) {
    if (line === "") continue;
    const { column, key, value } = JSON.parse(line) as { column: string; key: string; value: string };
    const rows = found.get(column) ?? new Map<string, string>();
    found.set(column, rows.set(key, value));
  }
  return found;
}
