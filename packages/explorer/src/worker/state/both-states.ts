/** The states of a context on both nodes: the differing parts, side by side. */
import { fromHex, toHex } from "merostore";
import { beginning, Pause } from "merostore/internal";
import { fieldParts, type StatePart } from "merostore/state";
import type { Database } from "../database/database.js";
import { compareTexts } from "../database/order.js";
import { allPartsIn } from "./parts-in.js";
import {
  entityOf,
  rowOf,
  type ShownEntity,
  type ShownProblem,
  type ShownValue,
  type StateRow,
} from "./rows.js";
import { type OpenState, openState } from "./source.js";

/** One side of a part. */
export interface SideOfPart {
  readonly value: ShownValue;
  readonly problem: ShownProblem | undefined;
}

/** A part that is not the same on both sides. */
export interface DifferingPart {
  readonly path: string;
  /** Identifies the part. */
  readonly key: string;
  /** Undefined if the side does not have the part. */
  readonly a: SideOfPart | undefined;
  readonly b: SideOfPart | undefined;
  /** The reason why both may look the same. */
  readonly note: "hash" | "further" | undefined;
}

/** Two states of a context. */
export interface BothStates {
  /** The hashes of the roots; undefined if the side has no state. */
  readonly rootA: string | undefined;
  readonly rootB: string | undefined;
  /** The first of the parts. */
  readonly parts: readonly DifferingPart[];
  readonly total: number;
  /** True if both states were read whole; otherwise there may be more parts. */
  readonly isWhole: boolean;
}

/** The most parts that are sent to the page. */
const MOST_PARTS = 500;
/** The most parts that are compared. */
const MOST_READ = 100_000;
/** The deepest nesting of parts. */
const MOST_DEPTH = 64;
/** The most characters of a value that are compared, and that are shown. */
const [COMPARED, SHOWN] = [20_000, 200];

/** A part of either side. */
interface Pair {
  readonly a: StatePart | undefined;
  readonly b: StatePart | undefined;
}

/** Compares the states of a context. Parts under equal hashes are the same. */
export async function bothStates(a: Database, b: Database, contextId: string): Promise<BothStates> {
  const [openA, openB] = await openBoth(a, b, contextId);
  const root = fromHex(contextId);
  const rootA = (await entityOf(openA.state, root)).row?.fullHash;
  const rootB = (await entityOf(openB.state, root)).row?.fullHash;
  if (rootA !== undefined && rootA === rootB) return { rootA, rootB, parts: [], total: 0, isWhole: true };
  const walk = new Walk(openA, openB);
  await walk.through(fieldParts(openA.state), fieldParts(openB.state), 0);
  const { parts, total, isWhole } = walk;
  return { rootA, rootB, parts, total, isWhole };
}

/** Both states. Names and types that only one side has are used for both: it is the same application. */
export async function openBoth(a: Database, b: Database, contextId: string): Promise<[OpenState, OpenState]> {
  const [openA, openB] = [await openState(a, contextId, false), await openState(b, contextId, false)];
  if (openA.manifest === undefined && openB.manifest !== undefined)
    return [await openState(a, contextId, false, openB.manifest), openB];
  if (openB.manifest === undefined && openA.manifest !== undefined)
    return [openA, await openState(b, contextId, false, openA.manifest)];
  return [openA, openB];
}

class Walk {
  readonly parts: DifferingPart[] = [];
  total = 0;
  isWhole = true;
  readonly #a: OpenState;
  readonly #b: OpenState;
  readonly #pause = new Pause();
  #read = 0;

  constructor(a: OpenState, b: OpenState) {
    this.#a = a;
    this.#b = b;
  }

  /** Compares parts that are in the same part. */
  async through(ofA: readonly StatePart[], ofB: readonly StatePart[], depth: number): Promise<void> {
    const pairs = new Map<string, Pair>(ofA.map((part) => [keyOf(part), { a: part, b: undefined }]));
    for (const part of ofB) pairs.set(keyOf(part), { a: pairs.get(keyOf(part))?.a, b: part });
    for (const [key, pair] of inOrder(pairs)) {
      if (++this.#read > MOST_READ || depth > MOST_DEPTH) {
        this.isWhole = false;
        return;
      }
      await this.#pause.ifLong();
      await this.#compare(key, pair, depth);
    }
  }

  async #compare(key: string, { a, b }: Pair, depth: number): Promise<void> {
    const [entityA, entityB] = [await entityOfPart(this.#a, a), await entityOfPart(this.#b, b)];
    const hash = entityA?.row?.fullHash;
    if (hash !== undefined && hash === entityB?.row?.fullHash && entityA?.id === entityB?.id) return;
    const rowA = a && (await rowOf(this.#a.state, a, undefined, COMPARED));
    const rowB = b && (await rowOf(this.#b.state, b, undefined, COMPARED));
    if (a !== undefined && b !== undefined && rowA?.opens !== undefined && rowB?.opens !== undefined) {
      const [insideA, insideB] = [await this.#inside(a), await this.#inside(b)];
      if (insideA !== undefined && insideB !== undefined) return this.through(insideA, insideB, depth + 1);
    }
    const [sideA, sideB] = [sideOf(rowA), sideOf(rowB)];
    const isSame =
      JSON.stringify([rowA?.value, rowA?.problem]) === JSON.stringify([rowB?.value, rowB?.problem]);
    const isEntry = a !== undefined && a.named !== "field";
    if (isSame && !(isEntry && entityA?.row?.ownHash !== entityB?.row?.ownHash)) return;
    this.total++;
    if (this.parts.length >= MOST_PARTS) return;
    const looksSame = JSON.stringify(sideA) === JSON.stringify(sideB);
    const path = (a ?? b)?.path ?? "";
    const note = isSame ? "hash" : looksSame ? "further" : undefined;
    this.parts.push({ path, key, a: sideA, b: sideB, note });
  }

  /** All parts in a part; undefined if they cannot be read. */
  async #inside(part: StatePart): Promise<readonly StatePart[] | undefined> {
    const inside = await allPartsIn(part, MOST_READ, this.#pause);
    if (inside?.isWhole === false) this.isWhole = false;
    return inside?.parts;
  }
}

function entityOfPart({ state }: OpenState, part: StatePart | undefined): Promise<ShownEntity> | undefined {
  return part?.entity && entityOf(state, part.entity);
}

/** Entries of maps and elements of sets in the order of their keys, as in the view of one state. */
function inOrder(pairs: ReadonlyMap<string, Pair>): Iterable<[string, Pair]> {
  const hasKeys = [...pairs.values()].every(({ a, b }) => ["key", "element"].includes((a ?? b)?.named ?? ""));
  return hasKeys ? [...pairs].sort(([a], [b]) => compareTexts(a, b)) : pairs;
}

/** Elements of a set may share a path. */
function keyOf({ path, named, name, entity }: StatePart): string {
  if (named !== "element") return path;
  return `${path} ${name === "" && entity !== undefined ? toHex(entity) : name}`;
}

function sideOf(row: StateRow | undefined): SideOfPart | undefined {
  if (row === undefined) return undefined;
  const { value, problem } = row;
  const isLong = value.text.length > SHOWN;
  const text = beginning(value.text, SHOWN);
  return { value: isLong ? { ...value, text, cutFrom: value.cutFrom ?? value.text.length } : value, problem };
}
