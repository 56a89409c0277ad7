/** A walk through many tries of children at the same time, from the first row of each down, 64 rows in a round. */
import { childTrieAddress, nibbleAt } from "../../../digests/index.js";
import { childTrieKey } from "../../../layouts/index.js";
import type { Pause } from "../../../pause.js";
import type { ChildTrieRow } from "../../../payloads/index.js";
import type { Found, Tools } from "../../tools.js";
import { beside, type Entity, type StateKey, trieRowIn } from "./rows.js";

/** The part of the tools that looks up rows. */
export type Finder = Pick<Tools, "find" | "writerOf">;

/** A place in a trie where a row is expected. */
export interface TriePlace {
  /** The entity whose children are in the trie. */
  readonly entity: Entity;
  /** The place of the first row. */
  readonly first: StateKey;
  /** The key of the place. */
  readonly key: StateKey;
  /** The address in the key, 32 bytes. */
  readonly address: Uint8Array;
  /** The first bits of the ids below it, in parts of four bits. */
  readonly path: readonly number[];
  /** The row above it; undefined for the first row. */
  readonly above: VisitedNode | undefined;
  /** Its hash in the row above, 32 bytes; undefined for the first row. */
  readonly hash: Uint8Array | undefined;
}

/** The row at a place of a trie. */
export interface VisitedRow extends TriePlace {
  /** "missing" and "unreadable" rows end the walk there. */
  readonly row: ChildTrieRow | "missing" | "unreadable";
  /** The row if it is a node; otherwise undefined. */
  readonly node: VisitedNode | undefined;
}

/** A visited node, while the walk is below it. */
export interface VisitedNode {
  readonly place: TriePlace;
  readonly row: Extract<ChildTrieRow, { kind: "Node" }>;
  /** True if the row above it, or the entity, has its hash. */
  isAttested: boolean;
  /** The number of rows directly below it that are not counted yet. */
  left: number;
  /** The number of children below it that are counted so far. */
  children: bigint;
  /** False if a row below it is missing or cannot be counted. */
  isWhole: boolean;
}

/** Rows of tries that are looked up in one round. */
const ROUND = 64;

/** The length of the longest path: an id has 64 parts of four bits. */
export const LONGEST_PATH = 64;

/** The place of the first row of an entity's trie. */
function firstPlace(entity: Entity): TriePlace {
  const address = childTrieAddress(entity.index.id, []);
  const key = beside(entity.key, childTrieKey(address));
  return { entity, first: key, key, address, path: [], above: undefined, hash: undefined };
}

/** The place below a slot of a node. */
function placeBelow(above: VisitedNode, nibble: number, hash: Uint8Array): TriePlace {
  const { entity, first } = above.place;
  const path = [...above.place.path, nibble];
  const address = childTrieAddress(entity.index.id, path);
  return { entity, first, key: beside(first, childTrieKey(address)), address, path, above, hash };
}

/** Yields the rows of the tries of entities, in rounds. A row comes before the rows below it. */
export async function* walkTries(
  entities: readonly Entity[],
  tools: Finder,
  pause: Pause,
): AsyncGenerator<readonly VisitedRow[], void, undefined> {
  const places: TriePlace[] = [];
  for (let next = 0; places.length > 0 || next < entities.length; ) {
    while (places.length < ROUND && next < entities.length)
      places.push(firstPlace(entities[next++] as Entity));
    const round = places.splice(-ROUND);
    const found = (await tools.find(round.map(({ key }) => key))) as readonly Found<Uint8Array>[];
    const visited = round.map((place, at) => visit(place, found[at] as Found<Uint8Array>));
    yield visited;
    for (const { node } of visited) {
      if (node === undefined || node.place.path.length === LONGEST_PATH) continue;
      for (const { nibble, hash } of node.row.slots) places.push(placeBelow(node, nibble, hash));
      if (pause.isLong) await pause.ifLong();
    }
    await pause.ifLong();
  }
}

/** The ids of an entity's children, as far as the trie can be read. */
export async function* childrenOf(
  entity: Entity,
  tools: Finder,
  pause: Pause,
): AsyncGenerator<readonly Uint8Array[], void, undefined> {
  for await (const round of walkTries([entity], tools, pause))
    for (const { row } of round)
      if (typeof row !== "string" && row.kind === "Bucket") yield row.children.map(({ id }) => id);
}

function visit(place: TriePlace, { there, value }: Found<Uint8Array>): VisitedRow {
  const decoded = trieRowIn(place.key, value);
  const row = decoded ?? (there ? "unreadable" : "missing");
  const node: VisitedNode | undefined =
    decoded?.kind === "Node"
      ? { place, row: decoded, isAttested: false, left: decoded.slots.length, children: 0n, isWhole: true }
      : undefined;
  return { ...place, row, node };
}

/** Returns true if an id begins with the bits of a path. */
export function isUnder(id: Uint8Array, path: readonly number[]): boolean {
  return path.every((nibble, place) => nibbleAt(id, place) === nibble);
}
