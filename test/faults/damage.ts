/** All cases of damage, as figures. */

import { loadZstd } from "../../src/lsm/format/zstd.js";
import { compressedSubjects, subjects } from "../engines/files/damage/databases.js";
import { type Damaged, fileKinds, survey } from "../engines/files/damage/survey.js";
import { type Ending, endings } from "../engines/files/damage/verdict.js";
import { Watchdog } from "../engines/files/watchdog.js";

/** The least number of each ending: with fewer, the cases do not test enough. */
const LEAST: Readonly<Record<Ending, number>> = {
  "an error in both": 1_000,
  "an error here, rows in RocksDB": 0,
  "an error here, RocksDB never ends": 0,
  "all rows in both": 150,
  "fewer rows of the log in both, with a warning": 400,
  "fewer rows of the log in both, in silence": 20,
  "fewer rows of the log, with a warning here only": 5,
  // It depends on the seed: 4 to 8 of the random bits make RocksDB read for ever.
  "fewer rows of the log, with a warning; RocksDB never ends": 1,
  "an error; RocksDB is not asked": 100,
  "all rows; RocksDB is not asked": 10,
  "fewer rows of the log; RocksDB is not asked": 1,
};

/** The totals of all cases. */
export interface DamageFigures {
  readonly cases: number;
  /** The number of endings of each kind of file: a table, with its head. */
  readonly table: readonly (readonly string[])[];
  /** The failures. */
  readonly wrong: readonly string[];
}

/**
 * Damages every kind of file of all databases that have subjects for it.
 *
 * @param fixtures the folder of all fixtures
 * @param folder a temporary one
 */
export async function damageFiles(fixtures: string, folder: string, seed: number): Promise<DamageFigures> {
  const watchdog = new Watchdog();
  // The module for zstd loads with a timer.
  await loadZstd();
  const later = globalThis.setTimeout;
  // Opening waits a little and looks again, in case a writer is at work. Here no writer is.
  globalThis.setTimeout = ((work: () => void) => later(work, 0)) as typeof setTimeout;
  const all: Damaged[] = [];
  try {
    for (const subject of [...subjects(fixtures), ...compressedSubjects(fixtures)])
      all.push(...(await survey(subject, 1, seed, folder, (name) => watchdog.begin(name))));
  } finally {
    globalThis.setTimeout = later;
    await watchdog.stop();
  }
  const rare = endings.filter((ending) => all.filter((one) => one.ending === ending).length < LEAST[ending]);
  const counts = (of: (one: Damaged) => boolean): string[] =>
    fileKinds.map((kind) => `${all.filter((one) => one.file === kind && of(one)).length}`);
  const table = [
    ["", ...fileKinds],
    ...endings.map((ending) => [ending, ...counts((one) => one.ending === ending)]),
    ["wrong rows, or an error that does not name the file", ...counts(({ wrong }) => wrong !== undefined)],
  ];
  const wrong = all.flatMap(({ wrong }) => wrong ?? []);
  return { cases: all.length, table, wrong: [...wrong, ...rare.map((ending) => `too few cases: ${ending}`)] };
}
