/** Damaged files, read by this engine and by RocksDB: never wrong rows, and an error wherever RocksDB has one. */

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { cleanUpAfterEach } from "../temporary.js";
import { subjects } from "./damage/databases.js";
import { Trial } from "./damage/trial.js";
import { type Ending, endings } from "./damage/verdict.js";
import { Watchdog } from "./watchdog.js";

cleanUpAfterEach();

const watchdog = new Watchdog();
afterAll(() => watchdog.stop());

// Opening waits a little and looks again, in case a writer is at work. Here none is.
beforeAll(() => {
  const later = globalThis.setTimeout;
  vi.stubGlobal("setTimeout", (work: () => void) => later(work, 0));
});
afterAll(() => void vi.unstubAllGlobals());

const SEED = 1;

/** What was damaged in the cases that ended in a way. */
const ended = new Map<Ending, string[]>(endings.map((ending) => [ending, []]));

describe("a damaged file", () => {
  it.each(subjects)("never gives wrong rows: $name", { timeout: 600_000 }, async (subject) => {
    const trial = await Trial.of(subject, SEED);
    const wrong: string[] = [];
    for (const [at, damage] of trial.cases.entries()) {
      const { file, kind, what } = damage;
      const name = `${kind} at byte ${damage.at} of ${file} (${what})`;
      watchdog.begin(`${subject.name}: ${name}`);
      try {
        ended.get(await trial.run(damage, at % 4 === 0))?.push(`${kind} ${what}`);
      } catch (error) {
        wrong.push(`${name}: ${(error as Error).message}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(trial.cases.length).toBe(subject.cases);
  });

  it("ends in one of these ways, and in each of them now and then", () => {
    const counts = Object.fromEntries(Array.from(ended, ([ending, cases]) => [ending, cases.length]));
    const least: Record<Ending, number> = {
      "an error in both": 1_000,
      "an error here, rows in RocksDB": 0,
      "an error here, RocksDB never ends": 0,
      "all rows in both": 150,
      "fewer rows of the log in both, with a warning": 400,
      "fewer rows of the log in both, in silence": 20,
      "fewer rows of the log, with a warning here only": 5,
      "fewer rows of the log, with a warning; RocksDB never ends": 5,
    };
    for (const ending of endings) {
      expect(counts[ending], `${ending}: ${JSON.stringify(counts)}`).toBeGreaterThanOrEqual(least[ending]);
    }
    // RocksDB takes a footer of before version 6 whose version is not the one that was written.
    expect(
      kindsOf("an error here, rows in RocksDB").filter((what) => !what.endsWith("footer version")),
    ).toEqual([]);
    // RocksDB passes over zeros in the place of records, and shows rows from after them; and it takes a whole log for old
    // whose first record is of the kind for files that are used again.
    const silent = kindsOf("fewer rows of the log, with a warning here only");
    expect(silent.filter((what) => !/^zero log|log (record|part) (type|header)$/.test(what))).toEqual([]);
  });
});

function kindsOf(ending: Ending): string[] {
  return [...new Set(ended.get(ending))];
}
