/** What differs between two databases, context by context, as a person would say it. */

import type { Json } from "../codec/index.js";
import { rowToJson } from "../schemas/index.js";
import { type DiffOptions, type DiffSummary, diffRows, type RowDifference } from "./diff-rows.js";
import type { RowSource } from "./row-source.js";

/** One side's state of a context. */
export interface ContextSide {
  readonly rootHash: string;
  readonly dagHeads: readonly string[];
}

/** How a context differs. Of a context that only one side has, the other is undefined. */
export interface ContextDifference {
  /** In hex. */
  readonly contextId: string;
  readonly a: ContextSide | undefined;
  readonly b: ContextSide | undefined;
  /** Rows that differ, by kind; those that honest nodes differ in do not count. */
  readonly kinds: Readonly<Record<string, KindDifference>>;
  /** Differences that nodes which did nothing wrong have. */
  readonly honest: number;
}

export interface KindDifference {
  onlyInA: number;
  onlyInB: number;
  different: number;
}

/** All contexts of both sides, and what differs in rows that name none. */
export interface ContextsDifference {
  readonly contexts: readonly ContextDifference[];
  readonly elsewhere: Pick<ContextDifference, "kinds" | "honest">;
  readonly summary: DiffSummary;
}

interface Gathered {
  readonly kinds: Record<string, KindDifference>;
  honest: number;
}

/** Compares all rows and sorts what differs by context. */
export async function diffByContext(
  a: RowSource,
  b: RowSource,
  options: DiffOptions = {},
): Promise<ContextsDifference> {
  const [sidesA, sidesB] = [await contextsOf(a), await contextsOf(b)];
  const gathered = new Map<string, Gathered>();
  const elsewhere: Gathered = { kinds: {}, honest: 0 };
  const rows = diffRows(a, b, options);
  let next = await rows.next();
  for (; next.done !== true; next = await rows.next()) {
    const context = next.value.parts?.contextId;
    let of = elsewhere;
    if (typeof context === "string") {
      of = gathered.get(context) ?? { kinds: {}, honest: 0 };
      gathered.set(context, of);
    }
    count(of, next.value);
  }
  const ids = [...new Set([...sidesA.keys(), ...sidesB.keys(), ...gathered.keys()])].sort();
  const contexts = ids.map((contextId) => ({
    contextId,
    a: sidesA.get(contextId),
    b: sidesB.get(contextId),
    ...(gathered.get(contextId) ?? { kinds: {}, honest: 0 }),
  }));
  return { contexts, elsewhere, summary: next.value };
}

/** What is to be said of a context, in sentences. A and B are the two databases. */
export function sentencesOf({ a, b, kinds, honest }: ContextDifference): string[] {
  const said: string[] = [];
  if (a === undefined || b === undefined) {
    if (a !== undefined || b !== undefined) said.push(`only ${a === undefined ? "B" : "A"} has this context`);
    else said.push("neither has this context any more; rows of it are left");
  } else {
    said.push(...stateSentences(kinds.ContextState, a, b), ...deltaSentences(kinds.ContextDagDelta, a, b));
  }
  const others = Object.entries(kinds).filter(
    ([kind]) =>
      a === undefined ||
      b === undefined ||
      !["ContextState", "ContextDagDelta", "ContextMeta"].includes(kind),
  );
  for (const [kind, of] of others) said.push(`${kind}: ${countsText(of)}`);
  if (honest > 0) said.push(`${rowsText(honest)} that nodes which did nothing wrong may differ in`);
  return said.length === 0 ? ["equal"] : said;
}

/** `3 rows only in A, 1 row differs` */
export function countsText({ onlyInA, onlyInB, different }: KindDifference): string {
  return [
    ...(onlyInA > 0 ? [`${rowsText(onlyInA)} only in A`] : []),
    ...(onlyInB > 0 ? [`${rowsText(onlyInB)} only in B`] : []),
    ...(different > 0 ? [`${rowsText(different)} ${different === 1 ? "differs" : "differ"}`] : []),
  ].join(", ");
}

function stateSentences(state: KindDifference | undefined, a: ContextSide, b: ContextSide): string[] {
  const hashes =
    a.rootHash === b.rootHash
      ? `root hash ${short(a.rootHash)} in both`
      : `root hashes ${short(a.rootHash)} and ${short(b.rootHash)}`;
  if (state !== undefined) {
    const entries = state.onlyInA + state.onlyInB + state.different;
    return [
      `State differs at ${entries} ${entries === 1 ? "entry" : "entries"} (${countsText(state)}), ${hashes}`,
    ];
  }
  return a.rootHash === b.rootHash ? [] : [`State is equal, ${hashes}`];
}

function deltaSentences(deltas: KindDifference | undefined, a: ContextSide, b: ContextSide): string[] {
  const said: string[] = [];
  const heads = ({ dagHeads }: ContextSide) => dagHeads.map(short).join(", ") || "the beginning";
  if (deltas !== undefined && deltas.onlyInA > 0)
    said.push(`B lacks ${deltas.onlyInA} ${deltas.onlyInA === 1 ? "delta" : "deltas"} after ${heads(b)}`);
  if (deltas !== undefined && deltas.onlyInB > 0)
    said.push(`A lacks ${deltas.onlyInB} ${deltas.onlyInB === 1 ? "delta" : "deltas"} after ${heads(a)}`);
  if (deltas !== undefined && deltas.different > 0)
    said.push(`${deltas.different} deltas with the same id differ`);
  const sameHeads = [...a.dagHeads].sort().join() === [...b.dagHeads].sort().join();
  if (said.length === 0 && !sameHeads)
    said.push(`the same deltas, heads ${heads(a)} in A and ${heads(b)} in B`);
  return said;
}

async function contextsOf(source: RowSource): Promise<ReadonlyMap<string, ContextSide>> {
  const found = new Map<string, ContextSide>();
  if (!source.columns.includes("Meta")) return found;
  for await (const chunk of source.rows("Meta")) {
    for (const { key, value } of chunk) {
      if (value === undefined) continue;
      const { parts, decoded } = rowToJson(source.schema, "Meta", { key, value });
      const meta = decoded as { readonly rootHash: string; readonly dagHeads: readonly string[] } | undefined;
      const contextId: Json | undefined = parts?.contextId;
      if (typeof contextId === "string" && meta !== undefined)
        found.set(contextId, { rootHash: meta.rootHash, dagHeads: meta.dagHeads });
    }
  }
  return found;
}

function count(of: Gathered, { kind, difference, honest }: RowDifference): void {
  if (honest !== undefined) {
    of.honest++;
    return;
  }
  const name = kind ?? "unknown rows";
  of.kinds[name] ??= { onlyInA: 0, onlyInB: 0, different: 0 };
  const counts = of.kinds[name];
  if (difference === "only in a") counts.onlyInA++;
  else if (difference === "only in b") counts.onlyInB++;
  else counts.different++;
}

function rowsText(rows: number): string {
  return `${rows} ${rows === 1 ? "row" : "rows"}`;
}

function short(id: string): string {
  return `${id.slice(0, 8)}…`;
}
