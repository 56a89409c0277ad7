/** Recoveries of many damaged databases, as figures. */

import type { Subject } from "../engines/files/damage/databases.js";
import { compressedSubjects, subjects } from "../engines/files/damage/databases.js";
import { type RecoveryOutcome, RecoveryTrial } from "./recovery/trial.js";

/** One in `WRITE_EVERY` recoveries writes a new database and reads it again; the others take the rows as they come. */
const WRITE_EVERY = 20;

/** The totals of a database's cases. */
export interface RecoverySurvey {
  readonly done: readonly RecoveryOutcome[];
  /** The failures. */
  readonly wrong: readonly string[];
}

/**
 * Damages a database again and again, and recovers it.
 *
 * @param every 1 for all cases, 5 for every fifth
 * @param folder a temporary one
 */
export async function surveyRecovery(
  subject: Subject,
  every: number,
  seed: number,
  folder: string,
): Promise<RecoverySurvey> {
  const trial = await RecoveryTrial.of(subject, seed, folder);
  const done: RecoveryOutcome[] = [];
  const wrong: string[] = [];
  for (const [at, one] of trial.cases.entries()) {
    if (at % every !== 0) continue;
    try {
      done.push(await trial.run(one, (at / every) % WRITE_EVERY === 0));
    } catch (error) {
      wrong.push(`${subject.name}: ${one.what}: ${(error as Error).message}`);
    }
  }
  return { done, wrong };
}

/** The totals of all cases. */
export interface RecoveryFigures {
  readonly cases: number;
  readonly table: readonly (readonly string[])[];
  readonly wrong: readonly string[];
}

/** @param fixtures the folder of all fixtures */
export async function recoverDamaged(
  fixtures: string,
  folder: string,
  seed: number,
): Promise<RecoveryFigures> {
  const head = [
    "",
    "databases",
    "nothing lost",
    "something lost",
    "rows recovered",
    "rows outside of damage",
  ];
  const table = [head];
  const wrong: string[] = [];
  let cases = 0;
  for (const subject of [...subjects(fixtures), ...compressedSubjects(fixtures)]) {
    const survey = await surveyRecovery(subject, 1, seed, folder);
    const { done } = survey;
    const sum = (of: (one: RecoveryOutcome) => number) => done.reduce((total, one) => total + of(one), 0);
    const whole = done.filter(({ losses }) => losses === 0).length;
    table.push([
      subject.name,
      ...[
        done.length,
        whole,
        done.length - whole,
        sum(({ rows }) => rows),
        sum(({ expected }) => expected),
      ].map(String),
    ]);
    cases += done.length + survey.wrong.length;
    wrong.push(...survey.wrong);
  }
  if (cases < 2_000) wrong.push(`only ${cases} cases`);
  return { cases, table, wrong };
}
