/**
 * Damaged files, read by this engine and by RocksDB: never wrong rows, and an error wherever RocksDB has one. A fifth
 * of the cases of `npm run test:faults`.
 */

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { loadZstd } from "../../../src/lsm/format/zstd.js";
import { fixturePath, temporaryFolder } from "../../support/fixtures.js";
import { compressedSubjects, subjects } from "./damage/databases.js";
import { type Damaged, fileKinds, survey } from "./damage/survey.js";
import { type Ending, endings } from "./damage/verdict.js";
import { Watchdog } from "./watchdog.js";

const watchdog = new Watchdog();
afterAll(() => watchdog.stop());

// Opening waits a little and looks again, in case a writer is at work. Here no writer is.
beforeAll(async () => {
  // The module for zstd loads with a timer.
  await loadZstd();
  const later = globalThis.setTimeout;
  vi.stubGlobal("setTimeout", (work: () => void) => later(work, 0));
});
afterAll(() => void vi.unstubAllGlobals());

const SEED = 1;
/** All cases would take a minute. */
const EVERY = 5;

const all: Damaged[] = [];

describe("a damaged file", () => {
  it.each([...subjects(fixturePath()), ...compressedSubjects(fixturePath())])(
    "never returns wrong rows: $name",
    async (subject) => {
      using folder = temporaryFolder();
      const done = await survey(subject, EVERY, SEED, folder.path, (name) => watchdog.begin(name));
      expect(done.flatMap(({ wrong }) => wrong ?? [])).toEqual([]);
      expect(done.length).toBe(Math.ceil(subject.cases / EVERY));
      all.push(...done);
    },
  );

  it("is an error, has no effect, or truncates a log, each in some cases", () => {
    const counts = Object.fromEntries(endings.map((ending) => [ending, whatEnded(ending).length]));
    // The other endings are rare: `npm run test:faults` counts them.
    expect(counts["an error in both"], JSON.stringify(counts)).toBeGreaterThan(200);
    expect(counts["all rows in both"], JSON.stringify(counts)).toBeGreaterThan(20);
    expect(counts["fewer rows of the log in both, with a warning"], JSON.stringify(counts)).toBeGreaterThan(
      80,
    );
    for (const kind of fileKinds)
      expect(all.filter(({ file }) => file === kind).length, kind).toBeGreaterThan(5);
    // RocksDB accepts a footer from before version 6 whose version was changed.
    expect(
      whatEnded("an error here, rows in RocksDB").filter((what) => !what.endsWith("footer version")),
    ).toEqual([]);
    // RocksDB skips zeros in the place of records, and shows rows from after them. It also takes a whole log for old if
    // its first record is of the kind for reused files.
    const silent = whatEnded("fewer rows of the log, with a warning here only");
    expect(silent.filter((what) => !/^zero log|log (record|part) (type|header)$/.test(what))).toEqual([]);
  });
});

function whatEnded(as: Ending): string[] {
  return all.filter(({ ending }) => ending === as).map(({ what }) => what);
}
