/** The order of the characters of a replicated growable array: each revision has its own. */
import { append } from "../../collections/lists.js";

/** The id of a character: its time, its clock, and its place among the characters that were typed at once. */
export interface CharacterId {
  /** NTP64. */
  readonly time: bigint;
  /** The clock's id. */
  readonly clock: bigint;
  /** Its place among the characters that were typed at once. */
  readonly sequence: number;
}

/** A character and the one to its left when it was typed. */
export interface Placed {
  /** Its own id. */
  readonly id: CharacterId;
  /** The id of the character to its left. The beginning of the text has an id with time 0. */
  readonly left: CharacterId;
  /** The character. */
  readonly character: string;
}

const keyOf = ({ time, clock, sequence }: CharacterId): string => `${time}.${clock}.${sequence}`;

/** The beginning of every text. */
const START = keyOf({ time: 0n, clock: 1n, sequence: 0 });

/** The order of ids: by time, clock and place. */
export function compareIds(a: CharacterId, b: CharacterId): number {
  if (a.time !== b.time) return a.time < b.time ? -1 : 1;
  if (a.clock !== b.clock) return a.clock < b.clock ? -1 : 1;
  return a.sequence - b.sequence;
}

/** The characters by the one to their left, the newest last. */
function byLeft<C extends Placed>(characters: readonly C[]): Map<string, C[]> {
  const groups = new Map<string, C[]>();
  for (const one of characters) append(groups, keyOf(one.left), one);
  for (const group of groups.values()) group.sort((a, b) => compareIds(a.id, b.id));
  return groups;
}

/**
 * core-0.11: depth-first from the beginning, the newest follower first. Then the followers of deleted characters in the
 * same way, in the order of the deleted ids.
 */
export function ordered011<C extends Placed>(characters: readonly C[]): readonly C[] {
  const groups = byLeft(characters);
  const ids = new Set(characters.map(({ id }) => keyOf(id)));
  const seen = new Set<string>();
  const text: C[] = [];
  const walk = (from: string): void => {
    // The last one is taken first.
    const open = [...(groups.get(from) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const key = keyOf(next.id);
      if (seen.has(key)) continue;
      seen.add(key);
      text.push(next);
      for (const follower of groups.get(key) ?? []) open.push(follower);
    }
  };
  walk(START);
  const missing = [...groups.values()]
    .map((group) => (group[0] as Placed).left)
    .filter((left) => keyOf(left) !== START && !ids.has(keyOf(left)))
    .sort(compareIds);
  for (const left of missing) walk(keyOf(left));
  return text;
}

/**
 * core-0.10: after each character, the newest of its followers that is not placed yet; without such a follower, the
 * first unplaced character in stored order.
 *
 * @param characters in stored order
 */
export function ordered010<C extends Placed>(characters: readonly C[]): readonly C[] {
  const groups = byLeft(characters);
  const placed = new Set<C>();
  const text: C[] = [];
  let last = START;
  let first = 0;
  while (placed.size < characters.length) {
    const followers = groups.get(last) ?? [];
    while (followers.length > 0 && placed.has(followers.at(-1) as C)) followers.pop();
    while (placed.has(characters[first] as C)) first++;
    const next = followers.pop() ?? (characters[first] as C);
    placed.add(next);
    text.push(next);
    last = keyOf(next.id);
  }
  return text;
}
