/** Which entries of the application's data differ between two databases. */
import { equalBytes } from "../../bytes/order.js";
import { toJsonLine } from "../../bytes/visible.js";
import {
  type Manifest,
  type State,
  StateCollection,
  type StateEntry,
  StateMap,
  stateOf,
  valueJson,
} from "../../state/index.js";
import type { Store } from "../../store/index.js";
import { clip, count, printable } from "../text.js";

/** Differences that are listed of a context. */
const MOST = 1_000;
/** Characters of a value. */
const VALUE = 60;

/** An entry or field that differs: its JSON on each side; undefined where a side lacks it. */
export interface DataDifference {
  readonly path: string;
  readonly a: string | undefined;
  readonly b: string | undefined;
}

/** The differences of a context's data, and their number: at most 1,000 are listed. */
export interface DataDifferences {
  readonly differences: readonly DataDifference[];
  readonly count: number;
}

/** Compares the data of a context in two databases, entry by entry of its maps; other fields as a whole. */
export async function diffData(
  stores: readonly [a: Store, b: Store],
  contextId: Uint8Array,
  manifest: Manifest,
): Promise<DataDifferences> {
  const [a, b] = await Promise.all(stores.map((store) => stateOf(store, contextId, { manifest })));
  const found = new Found();
  const names = new Set([...(a as State).fields, ...(b as State).fields].map(({ name }) => name));
  for (const name of names) {
    const [of, other] = [(a as State).field(name), (b as State).field(name)];
    if (of?.value instanceof StateMap && other?.value instanceof StateMap)
      await diffMaps(found, of.value, other.value);
    else {
      const [before, after] = [await textOf(of), await textOf(other)];
      if (before !== after) found.add({ path: name, a: before, b: after });
    }
  }
  return found;
}

class Found implements DataDifferences {
  readonly differences: DataDifference[] = [];
  count = 0;

  add(difference: DataDifference): void {
    this.count++;
    if (this.differences.length < MOST) this.differences.push(difference);
  }
}

async function diffMaps(found: Found, a: StateMap, b: StateMap): Promise<void> {
  if ((await a.problem()) !== undefined || (await b.problem()) !== undefined) return;
  for await (const entry of a.entries()) {
    const other = entry.key === undefined ? undefined : await b.get(entry.key);
    if (isSame(entry, other)) continue;
    const [before, after] = [await textOf(entry), await textOf(other)];
    if (before !== after) found.add({ path: entry.path, a: before, b: after });
  }
  for await (const entry of b.entries())
    if (entry.key !== undefined && (await a.get(entry.key)) === undefined)
      found.add({ path: entry.path, a: undefined, b: await textOf(entry) });
}

/** Whether two entries have the same bytes. One that is a collection is compared by what is in it. */
function isSame({ raw, value }: StateEntry, other: StateEntry | undefined): boolean {
  if (raw === undefined || other?.raw === undefined || !equalBytes(raw, other.raw)) return false;
  return typeof value !== "object" || value === null || !holdsCollection(value);
}

function holdsCollection(value: unknown): boolean {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return false;
  return value instanceof StateCollection || Object.values(value).some(holdsCollection);
}

async function textOf(
  part: { readonly value: unknown; readonly problem: { readonly name: string } | undefined } | undefined,
): Promise<string | undefined> {
  if (part === undefined) return undefined;
  if (part.problem !== undefined) return `! ${part.problem.name}`;
  return toJsonLine((await valueJson(part.value)).json);
}

/** The differences as lines. */
export function dataLines({ differences, count: all }: DataDifferences): string[] {
  if (all === 0) return ["the application's data is equal"];
  const lines = differences.map(({ path, a, b }) => {
    if (b === undefined) return `< ${printable(path)} = ${clip(a ?? "", VALUE)}`;
    if (a === undefined) return `> ${printable(path)} = ${clip(b, VALUE)}`;
    return `~ ${printable(path)}: ${clip(a, VALUE)} → ${clip(b, VALUE)}`;
  });
  return all > differences.length ? [...lines, `… ${count(all - differences.length)} more`] : lines;
}
