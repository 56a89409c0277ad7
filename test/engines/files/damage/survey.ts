/** Many cases of damage in one go, counted by target and ending. */

import type { Subject } from "./databases.js";
import { Trial } from "./trial.js";
import type { Ending } from "./verdict.js";

/** The result of a case. */
export interface Damaged {
  readonly file: FileKind;
  /** The kind of damage and its target: `flip table index checksum`. */
  readonly what: string;
  /** Undefined when a rule was broken. */
  readonly ending: Ending | undefined;
  /** The rule that was broken, and the place. */
  readonly wrong?: string;
}

export const fileKinds = ["table", "log", "MANIFEST", "CURRENT", "OPTIONS"] as const;
export type FileKind = (typeof fileKinds)[number];

/**
 * Damages a database again and again, and judges what both engines read then. An error must name the damaged file.
 *
 * @param every 1 for all cases of the subject, 5 for every fifth
 * @param folder a temporary one
 * @param begin told of each case, before it
 */
export async function survey(
  subject: Subject,
  every: number,
  seed: number,
  folder: string,
  begin: (name: string) => void,
): Promise<Damaged[]> {
  const trial = await Trial.of(subject, seed, folder);
  const done: Damaged[] = [];
  for (const damage of trial.cases.filter((_, at) => at % every === 0)) {
    const name = `${subject.name}: ${damage.kind} at byte ${damage.at} of ${damage.file} (${damage.what})`;
    begin(name);
    const what = { file: damage.what.split(" ")[0] as FileKind, what: `${damage.kind} ${damage.what}` };
    try {
      const { ending, errors } = await trial.run(damage, done.length % 4 === 0);
      if (!errors.every((error) => error.includes(damage.file)))
        throw new Error(`an error does not name the file: ${errors.join("; ")}`);
      done.push({ ...what, ending });
    } catch (error) {
      done.push({ ...what, ending: undefined, wrong: `${name}: ${(error as Error).message}` });
    }
  }
  return done;
}
