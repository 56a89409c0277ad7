/**
 * Damaged files, read by this engine and by RocksDB: never wrong rows, and an error wherever RocksDB has one. A fifth of the
 * cases of `npm run test:faults`.
 */

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { fixturePath, temporaryFolder } from "../../support/fixtures.js";
import { subjects } from "./damage/databases.js";
import { type Damaged, fileKinds, survey } from "./damage/survey.js";
import { type Ending, endings } from "./damage/verdict.js";
import { Watchdog } from "./watchdog.js";

const watchdog = new Watchdog();
afterAll(() => watchdog.stop());

// Opening waits a little and looks again, in case a writer is at work. Here none is.
beforeAll(() => {
  const later = globalThis.setTimeout;
  vi.stubGlobal("setTimeout", (work: () => void) => later(work, 0));
});
afterAll(() => void vi.unstubAllGlobals());

const SEED = 1;
/** All cases would take a minute. */
const EVERY = 5;

const all: Damaged[] = [];

describe("a damaged file", () => {
  it.each(subjects(fixturePath()))("never gives wrong rows: $name", { timeout: 600_000 }, async (subject) => {
    using folder = temporaryFolder();
    const done = await survey(subject, EVERY, SEED, folder.path, (name) => watchdog.begin(name));
    expect(done.flatMap(({ wrong }) => wrong ?? [])).toEqual([]);
    expect(done.length).toBe(Math.ceil(subject.cases / EVERY));
    all.push(...done);
  });

  it("ends in one of these ways, and in most of them now and then", () => {
    const counts = Object.fromEntries(endings.map((ending) => [ending, whatEnded(ending).length]));
    const least: Record<Ending, number> = {
      "an error in both": 200,
      "an error here, rows in RocksDB": 0,
      "an error here, RocksDB never ends": 0,
      "all rows in both": 30,
      "fewer rows of the log in both, with a warning": 80,
      "fewer rows of the log in both, in silence": 1,
      "fewer rows of the log, with a warning here only": 1,
      "fewer rows of the log, with a warning; RocksDB never ends": 1,
    };
    for (const ending of endings) {
      expect(counts[ending], `${ending}: ${JSON.stringify(counts)}`).toBeGreaterThanOrEqual(least[ending]);
    }
    for (const kind of fileKinds)
      expect(all.filter(({ file }) => file === kind).length, kind).toBeGreaterThan(15);
    // RocksDB takes a footer of before version 6 whose version is not the one that was written.
    expect(
      whatEnded("an error here, rows in RocksDB").filter((what) => !what.endsWith("footer version")),
    ).toEqual([]);
    // RocksDB passes over zeros in the place of records, and shows rows from after them; and it takes a whole log for old
    // whose first record is of the kind for files that are used again.
    const silent = whatEnded("fewer rows of the log, with a warning here only");
    expect(silent.filter((what) => !/^zero log|log (record|part) (type|header)$/.test(what))).toEqual([]);
  });
});

function whatEnded(as: Ending): string[] {
  return all.filter(({ ending }) => ending === as).map(({ what }) => what);
}
