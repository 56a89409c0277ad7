/**
 * The order of a Fugue text, since core-1.0. Its characters are the nodes of a tree: each is a left or a right child of
 * another character or of the beginning. The text is the in-order traversal of the tree. Rows store runs of characters,
 * each the right child of the character before it.
 */
import { bytes, type Decoded, names, option, str, struct, u32, u64 } from "../../codec/index.js";
import { append } from "../../collections/lists.js";

/** The id of a character. 12 bytes. */
export const CharacterKey = struct("CharacterKey", {
  /** The replica that typed it. */
  replica: u64,
  /** Its number among the characters of the replica. */
  counter: u32,
});
export type CharacterKey = Decoded<typeof CharacterKey>;

/** Consecutive characters of one replica. From 22 bytes. */
export const TextRun = struct("TextRun", {
  /** The id of the first one; the others count on. */
  start: CharacterKey,
  /** The characters: one Unicode scalar value each. */
  text: str,
  /** The parent of the first one; null is the beginning. */
  parent: option(CharacterKey),
  /** The side of the parent on which the first one is. */
  side: names("Side", ["Left", "Right"]),
  /** A bit for each deleted character, the lowest bit first, without zero bytes at the end. */
  deleted: bytes,
});
export type TextRun = Decoded<typeof TextRun>;

/** Characters of a run, at most. */
const LONGEST_RUN = 256;
const LAST_COUNTER = 0xffff_ffff;

/**
 * Returns true if a node reads a run: it ignores one that is stored under another id, is empty or too long, has a number that
 * no replica gives, or bits behind its last character.
 *
 * @param key the id that it is stored under
 */
export function isSound({ start, text, parent, deleted }: TextRun, key: CharacterKey): boolean {
  const size = [...text].length;
  const bits = deleted.length * 8 - Math.clz32((deleted.at(-1) ?? 0) << 24);
  return (
    keyOf(start) === keyOf(key) &&
    size >= 1 &&
    size <= LONGEST_RUN &&
    start.counter + size <= LAST_COUNTER &&
    (parent === null || parent.counter < LAST_COUNTER) &&
    (deleted.length === 0 || (deleted.at(-1) !== 0 && bits <= size))
  );
}

const keyOf = ({ replica, counter }: CharacterKey): string => `${replica}.${counter}`;

interface Node {
  readonly id: CharacterKey;
  readonly character: string;
  readonly parent: string | undefined;
  readonly isLeft: boolean;
  isDeleted: boolean;
}

/** The text of runs, without deleted characters and without characters whose parents are missing. */
export function textOfRuns(runs: readonly TextRun[]): string {
  const nodes = new Map<string, Node>();
  for (const run of runs.toSorted((a, b) => compare(a.start, b.start))) addRun(nodes, run);
  /** The children of each node and, under undefined, of the beginning, by their ids. */
  const children = new Map<string | undefined, Node[]>();
  for (const node of [...nodes.values()].sort((a, b) => compare(a.id, b.id)))
    append(children, node.parent, node);
  const text: string[] = [];
  // The last one is taken first: a node whose left children are to come, or the character of one.
  const open: (Node | string)[] = [];
  const enter = (key: string | undefined, character: string): void => {
    const all = children.get(key) ?? [];
    open.push(...all.filter(({ isLeft }) => !isLeft).reverse(), character);
    open.push(...all.filter(({ isLeft }) => isLeft).reverse());
  };
  enter(undefined, "");
  for (let next = open.pop(); next !== undefined; next = open.pop())
    if (typeof next === "string") text.push(next);
    else enter(keyOf(next.id), next.isDeleted ? "" : next.character);
  return text.join("");
}

/** Adds the characters of a run. A character of two runs is deleted if one of the runs marks it as deleted. */
function addRun(nodes: Map<string, Node>, { start, text, parent, side, deleted }: TextRun): void {
  let before = parent === null ? undefined : keyOf(parent);
  let isLeft = side === "Left";
  let offset = 0;
  for (const character of text) {
    const id = { replica: start.replica, counter: start.counter + offset };
    const key = keyOf(id);
    const isDeleted = (((deleted[offset >> 3] ?? 0) >> (offset & 7)) & 1) === 1;
    const known = nodes.get(key);
    if (known === undefined) nodes.set(key, { id, character, parent: before, isLeft, isDeleted });
    else known.isDeleted ||= isDeleted;
    before = key;
    isLeft = false;
    offset++;
  }
}

function compare(a: CharacterKey, b: CharacterKey): number {
  if (a.replica !== b.replica) return a.replica < b.replica ? -1 : 1;
  return a.counter - b.counter;
}
