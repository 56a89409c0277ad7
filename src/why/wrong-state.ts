/** The verdict on nodes whose state differs from the replay of their deltas. */
import { counted } from "../bytes/quantity.js";
import type { Contradiction } from "../state/index.js";
import type { Decision } from "./causes.js";
import type { ComparedSide, Sides } from "./compared-sides.js";
import { deltasText } from "./lost.js";
import { shortId } from "./naming.js";
import { dataHash, isReplayed, MOST_WRONG, type Side } from "./side.js";

/** Judges a context in which at least one node's state differs from the replay of its deltas. */
export async function wrongVerdict(wrong: readonly ComparedSide[], sides: Sides): Promise<Decision> {
  const about = wrong.map(({ source }) => source.name);
  const sentences: string[] = [];
  let isWhole = true;
  for (const side of wrong) {
    const lost = side.lost.otherLacks;
    const [first] = side.wrong as [Contradiction];
    const { name } = side.source;
    const isWritten = side.wrong.every(({ how }) => how !== "damaged") && !(await isReplayed(side));
    isWhole &&= isWritten;
    const other = sides.find((one) => one !== side) as Side;
    const judge = isRight(other, first) ? `; ${other.source.name} ${await rightText(other, first)}` : "";
    const by =
      lost.length === 0
        ? "it was written without deltas"
        : `it lost ${deltasText(lost)}, which it had applied`;
    const these = side.wrong.length === 1 ? `entity ${shortId(first.entity)}` : countText(side.wrong.length);
    const isGone = side.wrong.every(({ how }) => how === "absent");
    const what = isGone ? `lacks ${these} of its deltas` : `has ${these} that no delta of it explains`;
    sentences.push(
      isWritten
        ? `the state of ${name} ${what}: ${by}`
        : `the state of ${name} differs from the replay of its deltas: ${contradictionText(first)}${judge}`,
    );
  }
  const isLost = wrong.some(({ lost }) => lost.otherLacks.length > 0);
  const verdict = isWhole ? (isLost ? "delta-lost" : "repaired") : "diverged";
  return { verdict, sentence: sentences.join("; "), about };
}

/** The number of differing entities in words. At the limit of the count, it begins with `at least`. */
export function countText(count: number): string {
  return `${count === MOST_WRONG ? "at least " : ""}${counted(count, "entity", "entities")}`;
}

/** The difference of one entity in words. */
function contradictionText({ entity, how, delta, found }: Contradiction): string {
  const name = `entity ${shortId(entity)}`;
  const by = delta === undefined ? "its deltas" : `delta ${shortId(delta.id)}`;
  switch (how) {
    case "damaged":
      return `the data of ${name} ${found === undefined ? "is not there" : "does not have the hash in its row"}`;
    case "absent":
      return `${name} of ${by} is not there`;
    case "deleted by a delta":
      return `${name} is there, and ${by} deleted it`;
    case "not written by any delta":
      return `no delta wrote ${name}`;
    case "other data":
      return `${name} has other data than ${by} gave it`;
  }
}

/**
 * The words on a side whose entity equals the replay: `is right` if a hash proves the replay, otherwise `agrees with
 * them`.
 */
async function rightText({ replay }: Side, { delta }: Contradiction): Promise<string> {
  const isThere = delta !== undefined && replay.graph.numberOf(delta.id) !== undefined;
  const isProven = isThere && (await replay.position(delta.id)).verdict.startsWith("proven");
  await replay.moveToFirst();
  return isProven ? "is right" : "agrees with them";
}

/** True if a side has no wrong entity, and its replay gives the data that the replay of the other side gives. */
function isRight({ wrong, replay }: Side, { entity, wanted }: Contradiction): boolean {
  const theirs = replay.tree.get(entity);
  // Only its row tells the data of an entity from before the first delta.
  if (wrong.length > 0 || (theirs !== undefined && theirs.writer === undefined)) return false;
  return dataHash(replay, entity) === wanted;
}
