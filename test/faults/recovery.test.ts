/** A slice of `npm run test:faults -- recover`. */
import { describe, expect, it } from "vitest";
import { subjects } from "../engines/files/damage/databases.js";
import { fixturePath, temporaryFolder } from "../support/fixtures.js";
import { RecoveryTrial } from "./recovery/trial.js";

const SEED = 1;
/** Of so many cases one is run. */
const EVERY = 1;

describe("a recovery", () => {
  it.each(subjects(fixturePath()))("has every row outside of damaged bytes: $name", { timeout: 600_000 }, async (subject) => {
    using folder = temporaryFolder();
    const trial = await RecoveryTrial.of(subject, SEED, folder.path);
    const wrong: string[] = [];
    let done = 0;
    for (const [at, one] of trial.cases.entries()) {
      if (at % EVERY !== 0) continue;
      try {
        await trial.run(one, false);
        done++;
      } catch (error) {
        wrong.push(`${one.what}: ${(error as Error).message}`);
      }
    }
    console.log(subject.name, trial.cases.length, wrong.length);
    expect(wrong.slice(0, 12)).toEqual([]);
    expect(done).toBeGreaterThan(10);
  });
});
