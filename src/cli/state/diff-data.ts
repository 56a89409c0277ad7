/** Compares the entries of the application's data in two databases. */
import { fromHex, toHex } from "../../bytes/hex.js";
import { equalBytes } from "../../bytes/order.js";
import { counted } from "../../bytes/quantity.js";
import { toJsonLine, visible } from "../../bytes/visible.js";
import type { ContextDifference } from "../../diff/index.js";
import {
  type Manifest,
  type State,
  StateCollection,
  type StateEntry,
  type StateField,
  StateMap,
  type StateProblem,
  stateOf,
  valueJson,
} from "../../state/index.js";
import type { Store } from "../../store/index.js";
import { clip, printable } from "../output/text.js";
import { collectionsIn } from "./last-write.js";

/** The default limit of listed differences of a context. */
const MOST = 1_000;
/** Characters of a value. */
const VALUE = 60;

/** A differing entry or field: its JSON on each side; undefined if a side lacks it. */
export interface DataDifference {
  readonly path: string;
  readonly a: string | undefined;
  readonly b: string | undefined;
  /** Its entity, 64 hex digits; undefined for a field without its own entity. */
  readonly entity: string | undefined;
}

/** A part of the data that was not compared, with the reason. */
export interface Uncompared {
  readonly path: string;
  /** A sentence. */
  readonly why: string;
}

/** The differences of a context's data, and their number. */
export interface DataDifferences {
  /** The first ones. */
  readonly differences: readonly DataDifference[];
  readonly count: number;
  /** The first parts that may differ, because one of the databases has a problem there. */
  readonly uncompared: readonly Uncompared[];
  readonly uncomparedCount: number;
}

/** Returns the differing data of a context; undefined if no manifest was given, or a side lacks the context. */
export type Differing = (context: ContextDifference) => Promise<DataDifferences | undefined>;

/** The differences in JSON. */
export function dataJson({ differences, count, uncompared, uncomparedCount }: DataDifferences) {
  return {
    data: differences.map(({ path, a, b }) => ({ path, a, b })),
    dataCount: count,
    uncompared,
    uncomparedCount,
  };
}

/** Compares the data of a context in two databases, entry by entry of its maps; other fields as a whole. */
export async function diffData(
  stores: readonly [a: Store, b: Store],
  contextId: Uint8Array,
  manifest: Manifest,
): Promise<DataDifferences> {
  const [a, b] = await Promise.all(stores.map((store) => stateOf(store, contextId, { manifest })));
  return diffStates(a as State, b as State);
}

/** Options for the comparison of two states. */
interface Compared {
  /** The most listed differences: 1,000 by default. */
  readonly most?: number | undefined;
  /**
   * The entities that may differ, each given as the entry of a field that contains it, 64 hex digits. Only these are
   * read; by default all are.
   */
  readonly entities?: ReadonlySet<string> | undefined;
  /** The names of both states in sentences; `first database` and `second database` by default. */
  readonly names?: readonly [string, string] | undefined;
}

/** Compares two states of a context, entry by entry of its maps; other fields as a whole. */
export async function diffStates(
  a: State,
  b: State,
  { most = MOST, entities, names: sides = ["first database", "second database"] }: Compared = {},
): Promise<DataDifferences> {
  const found = new FoundDifferences(most, sides);
  const names = new Set([...a.fields, ...b.fields].map(({ name }) => name));
  for (const name of names) {
    const [of, other] = [a.field(name), b.field(name)];
    const [one, two] = [of?.value, other?.value];
    if (one instanceof StateMap && two instanceof StateMap) {
      const problems = [await one.problem(), await two.problem()] as const;
      if (problems.some((problem) => problem !== undefined)) found.skip(name, ...problems);
      else if (entities === undefined) await diffMaps(found, one, two);
      else await diffEntries(found, one, two, entities);
    } else if (entities === undefined || (await mayDiffer([of, other], entities)))
      await compareParts(found, name, of, other);
  }
  return found;
}

/** Compares some entries of two maps. */
async function diffEntries(
  found: FoundDifferences,
  a: StateMap,
  b: StateMap,
  entities: ReadonlySet<string>,
): Promise<void> {
  for (const id of entities) {
    const [one, other] = [await a.entryOf(fromHex(id)), await b.entryOf(fromHex(id))];
    const path = (one ?? other)?.path;
    if (path !== undefined && !(one !== undefined && isSame(one, other)))
      await compareParts(found, path, one, other);
  }
}

/** True if a collection other than a map, or the state's own entity, has one of the entities. */
async function mayDiffer(
  fields: readonly (StateField | undefined)[],
  entities: ReadonlySet<string>,
): Promise<boolean> {
  for (const field of fields) {
    const value = field?.value;
    if (!(value instanceof StateCollection)) return true;
    if (entities.has(toHex(value.id)) || (await value.problem()) !== undefined) return true;
    for (const id of entities) if ((await value.entryOf(fromHex(id))) !== undefined) return true;
  }
  return false;
}

class FoundDifferences implements DataDifferences {
  readonly differences: DataDifference[] = [];
  readonly uncompared: Uncompared[] = [];
  readonly #most: number;
  readonly #names: readonly [string, string];
  count = 0;
  uncomparedCount = 0;

  constructor(most: number, names: readonly [string, string]) {
    this.#most = most;
    this.#names = names;
  }

  /** Records that a part is not compared, with the problem of one side or both. */
  skip(path: string, a: Problem | undefined, b: Problem | undefined): void {
    this.uncomparedCount++;
    if (this.uncompared.length >= this.#most) return;
    const why = [
      a === undefined ? [] : `${this.#names[0]}: ${a.message}`,
      b === undefined ? [] : `${this.#names[1]}: ${b.message}`,
    ];
    this.uncompared.push({ path, why: why.flat().join("; ") });
  }

  add(difference: DataDifference): void {
    this.count++;
    if (this.differences.length < this.#most) this.differences.push(difference);
  }
}

type Problem = Pick<StateProblem, "name" | "message">;

const KEYLESS: Problem = { name: "KeyMismatch", message: "the entry has no key" };

/** The values of two databases in a place. */
type PartReading = {
  readonly value: unknown;
  readonly problem: Problem | undefined;
  readonly id?: Uint8Array;
  readonly raw?: Uint8Array | undefined;
};

async function diffMaps(found: FoundDifferences, a: StateMap, b: StateMap): Promise<void> {
  for await (const entry of a.entries()) {
    const other = entry.key === undefined ? undefined : await b.get(entry.key);
    // An entry without a key is found in the other map by its id.
    const same = other ?? (await b.entryOf(entry.id));
    if (entry.key === undefined || (same !== undefined && same.key === undefined))
      found.skip(entry.path, keylessProblem(entry), same && keylessProblem(same));
    else if (!isSame(entry, other)) await compareParts(found, entry.path, entry, other);
  }
  for await (const entry of b.entries())
    if (entry.key === undefined) {
      if ((await a.entryOf(entry.id)) === undefined) found.skip(entry.path, undefined, keylessProblem(entry));
    } else if ((await a.get(entry.key)) === undefined)
      found.add({
        path: entry.path,
        a: undefined,
        b: (await shownPart(entry)).text,
        entity: toHex(entry.id),
      });
}

function keylessProblem({ key, problem }: StateEntry): Problem | undefined {
  return key === undefined ? (problem ?? KEYLESS) : undefined;
}

/**
 * Compares a part that both have. Parts with the same text may still differ if one of them, or a part inside it, has a
 * problem.
 */
async function compareParts(
  found: FoundDifferences,
  path: string,
  a: PartReading | undefined,
  b: PartReading | undefined,
): Promise<void> {
  const [before, after] = [await shownPart(a), await shownPart(b)];
  if (before.text !== after.text)
    found.add({ path, a: before.text, b: after.text, entity: entityOf(a) ?? entityOf(b) });
  else if (haveOtherBytes(a, b))
    found.add({ path, a: before.text, b: `${after.text}, other bytes`, entity: entityOf(a) ?? entityOf(b) });
  else if (before.problem !== undefined || after.problem !== undefined)
    found.skip(path, before.problem, after.problem);
}

/** Returns whether neither of two parts can be read, and their bytes differ. The bytes may be secret. */
function haveOtherBytes(a: PartReading | undefined, b: PartReading | undefined): boolean {
  if (a?.problem === undefined || b?.problem === undefined) return false;
  return a.raw !== undefined && b.raw !== undefined && !equalBytes(a.raw, b.raw);
}

function entityOf(part: PartReading | undefined): string | undefined {
  return part?.id && toHex(part.id);
}

/** Returns whether two entries have the same bytes. An entry that is a collection is compared by its content. */
function isSame({ raw, value }: StateEntry, other: StateEntry | undefined): boolean {
  if (raw === undefined || other?.raw === undefined || !equalBytes(raw, other.raw)) return false;
  return collectionsIn(value).next().done === true;
}

/** A part as JSON, with its problem or the first problem inside it. Without a text, the database lacks the part. */
interface Shown {
  readonly text: string | undefined;
  readonly problem: Problem | undefined;
}

async function shownPart(part: PartReading | undefined): Promise<Shown> {
  if (part === undefined) return { text: undefined, problem: undefined };
  if (part.problem !== undefined) return { text: `! ${part.problem.name}`, problem: part.problem };
  const { json, problems } = await valueJson(part.value);
  return { text: toJsonLine(json), problem: problems[0] };
}

/** The parts that were not compared as lines, at most `most` of them. */
export function uncomparedLines({ uncompared, uncomparedCount }: DataDifferences, most = MOST): string[] {
  const lines = uncompared
    .slice(0, most)
    .map(({ path, why }) => `! ${visible(path)} was not compared: ${printable(why)}`);
  const others = uncomparedCount - lines.length;
  if (others === 0) return lines;
  return [...lines, `… ${counted(others, "more part was not compared", "more parts were not compared")}`];
}

/** The differences as lines. */
export function dataLines(data: DataDifferences): string[] {
  const { differences } = data;
  const skipped = uncomparedLines(data);
  if (data.count === 0) return skipped.length > 0 ? skipped : ["the application's data is equal"];
  const lines = differences.map(({ path, a, b }) => {
    if (b === undefined) return `< ${visible(path)} = ${clip(a ?? "", VALUE)}`;
    if (a === undefined) return `> ${visible(path)} = ${clip(b, VALUE)}`;
    return `~ ${visible(path)}: ${clip(a, VALUE)} → ${clip(b, VALUE)}`;
  });
  const unlisted = data.count - differences.length;
  if (unlisted > 0) lines.push(`… ${counted(unlisted, "more difference")}`);
  return [...lines, ...skipped];
}
