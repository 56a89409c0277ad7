/** A slice of `npm run test:faults -- recover`. */
import { describe, expect, it } from "vitest";
import { compressedSubjects, subjects } from "../engines/files/damage/databases.js";
import { fixturePath, temporaryFolder } from "../support/fixtures.js";
import { surveyRecovery } from "./recovery.js";

const SEED = 1;
/** One in `EVERY` cases runs. */
const EVERY = 12;

describe("a recovery", () => {
  const all = [...subjects(fixturePath()), ...compressedSubjects(fixturePath())];
  it.each(all)("has every row outside of damage: $name", async (subject) => {
    using folder = temporaryFolder();
    const { done, wrong } = await surveyRecovery(subject, EVERY, SEED, folder.path);
    expect(wrong).toEqual([]);
    expect(done.length).toBeGreaterThan(15);
    expect(done.filter(({ losses }) => losses > 0).length).toBeGreaterThan(5);
    expect(done.filter(({ losses }) => losses === 0).length).toBeGreaterThan(2);
  });
});
