/** Differences of rows, counted by the context or group that their keys name. */
import type { Json } from "../codec/index.js";
import type { RowDifference } from "./compare-rows.js";
import type { DiffSummary } from "./diff-rows.js";

/** How many rows of a kind differ. */
export interface KindDifference {
  /** Rows that only the first database has. */
  onlyInA: number;
  /** Rows that only the second database has. */
  onlyInB: number;
  /** Rows that both have, with different values. */
  different: number;
}

/** @internal What is counted of the differences of a context or a group. */
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

/**
 * @internal Counts differences by an id.
 *
 * @param idOf the id in the parts of a key; differences without one are counted as `elsewhere`
 */
export async function gather(
  rows: AsyncGenerator<RowDifference, DiffSummary, undefined>,
  idOf: (parts: { readonly [name: string]: Json }) => Json | undefined,
) {
  const gathered = new Map<string, Gathered>();
  const elsewhere = nothing();
  let next = await rows.next();
  for (; next.done !== true; next = await rows.next()) {
    const id = idOf(next.value.parts ?? {});
    let of = elsewhere;
    if (typeof id === "string") {
      of = gathered.get(id) ?? nothing();
      gathered.set(id, of);
    }
    count(of, next.value);
  }
  const { kinds, benign } = elsewhere;
  return { gathered, elsewhere: { kinds, benign }, summary: next.value };
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
