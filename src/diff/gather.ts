/** Differences of rows, counted by the context or group that their keys name. */
import type { Json } from "../codec/index.js";
import type { RowDifference } from "./compare-rows.js";
import type { DiffSummary } from "./diff-rows.js";

/** @internal Parts of keys that can hold the id of a group. The first part that a key has names the group of its row. */
export const GROUP_PARTS = ["groupId", "namespaceId", "childGroupId", "parentGroupId"];

/** The number of rows of a kind that differ. */
export interface KindDifference {
  /** Rows that only the first database has. */
  onlyInA: number;
  /** Rows that only the second database has. */
  onlyInB: number;
  /** Rows that both have, with different values. */
  different: number;
}

/** @internal The counts of the differences of a context or group. */
export interface Gathered {
  readonly kinds: Record<string, KindDifference>;
  benign: number;
  /** Fields of ContextMeta that differ, other than the root hash and the heads. */
  readonly meta: string[];
}

/** @internal */
export function nothing(): Gathered {
  return { kinds: {}, benign: 0, meta: [] };
}

/** Returns the id in the parts of a key: differences are counted by it. */
type IdOf = (parts: { readonly [name: string]: Json }) => Json | undefined;

/** @internal Counts of differences by an id. */
export class Gathering {
  /** By id. */
  readonly gathered = new Map<string, Gathered>();
  /** Differences of rows without an id. */
  readonly elsewhere = nothing();
  readonly #idOf: IdOf;

  /** @param idOf the id in the parts of a key; differences without one are counted as `elsewhere` */
  constructor(idOf: IdOf) {
    this.#idOf = idOf;
  }

  /** Counts a difference. */
  add(row: RowDifference): void {
    const id = this.#idOf(row.parts ?? {});
    let of = this.elsewhere;
    if (typeof id === "string") {
      of = this.gathered.get(id) ?? nothing();
      this.gathered.set(id, of);
    }
    count(of, row);
  }
}

/** @internal Counts all differences, and calls `onDifference` with each. Returns the summary. An error of `onDifference` ends the comparison. */
export async function gather(
  rows: AsyncGenerator<RowDifference, DiffSummary, undefined>,
  gatherings: readonly Gathering[],
  onDifference?: (row: RowDifference) => void,
): Promise<DiffSummary> {
  for (;;) {
    const next = await rows.next();
    if (next.done === true) return next.value;
    try {
      for (const gathering of gatherings) gathering.add(next.value);
      onDifference?.(next.value);
    } catch (error) {
      await rows.throw(error);
      throw error;
    }
  }
}

function count(of: Gathered, { kind, difference, fields = [], benign }: RowDifference): void {
  if (benign !== undefined) {
    of.benign++;
    return;
  }
  const name = kind ?? "unknown rows";
  of.kinds[name] ??= { onlyInA: 0, onlyInB: 0, different: 0 };
  const counts = of.kinds[name];
  if (difference === "only in a") counts.onlyInA++;
  else if (difference === "only in b") counts.onlyInB++;
  else counts.different++;
  if (kind !== "ContextMeta") return;
  for (const { path } of fields)
    if (!/^(rootHash|dagHeads)/.test(path)) of.meta.push(path === "" ? "its bytes" : path);
}
