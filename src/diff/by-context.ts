/** The differences between two databases by context, with sentences for people. */

import { copyBytes } from "../bytes/bytes.js";
import type { Json } from "../codec/index.js";
import { checkOptions, isFunction, type OptionChecks } from "../options.js";
import { rowToJson, selectionOptions } from "../schemas/index.js";
import { type DiffOptions, type DiffSummary, diffRows } from "./diff-rows.js";
import { Gathering, gather, type KindDifference, nothing } from "./gather.js";
import { checkSources, type RowSource } from "./row-source.js";

/** One side's state of a context. */
export interface ContextSide {
  /** Full hash of the state's root entity: 32 bytes in hex; zeros until there is a state. */
  readonly rootHash: string;
  /** Ids of the deltas that no other one follows: 32 bytes each, in hex. */
  readonly dagHeads: readonly string[];
}

/** The differences of a context. A side without the context is undefined. */
export interface ContextDifference {
  /** In hex. */
  readonly contextId: string;
  /** The context in the first database; undefined if it does not have it. */
  readonly a: ContextSide | undefined;
  /** The context in the second database; undefined if it does not have it. */
  readonly b: ContextSide | undefined;
  /** Rows that differ, by kind, without benign differences. */
  readonly kinds: Readonly<Record<string, KindDifference>>;
  /** Number of benign differences: correct nodes may have them. */
  readonly benign: number;
  /** Fields of ContextMeta that differ, other than the root hash and the heads. */
  readonly meta: readonly string[];
}

/** All contexts of both sides, and the differences in rows that belong to no context. */
export interface ContextsDifference {
  /** All contexts of both sides, those that are the same included. */
  readonly contexts: readonly ContextDifference[];
  /** The differences in rows that name no context. */
  readonly elsewhere: Pick<ContextDifference, "kinds" | "benign">;
  /** The counts of all differences, of contexts and elsewhere. */
  readonly summary: DiffSummary;
}

/** The options. All rows of a context are compared: a part of them would not show whether the context is equal. */
export type ContextsOptions = Pick<DiffOptions, "contextId" | "onProgress">;

const contextsOptions: OptionChecks<ContextsOptions> = {
  contextId: selectionOptions.contextId,
  onProgress: isFunction,
};

/**
 * Compares rows and groups the differences by context. Closes both sources at the end, but not their stores.
 *
 * @throws MerostoreError `INVALID_ARGUMENT`, in which case both sources stay open; all errors of `diffRows`
 */
export async function diffByContext(
  a: RowSource,
  b: RowSource,
  options: ContextsOptions = {},
): Promise<ContextsDifference> {
  checkSources("diffByContext", a, b);
  checkOptions("diffByContext", options, contextsOptions);
  const { contextId, onProgress } = {
    ...options,
    contextId: options.contextId && copyBytes(options.contextId),
  };
  const sides = await contextsOfBoth(a, b);
  const gathering = gatheringByContext();
  const summary = await gather(diffRows(a, b, { contextId, onProgress }), [gathering]);
  return contextsDifference(sides, gathering, summary);
}

/** @internal Counts differences by context. */
export function gatheringByContext(): Gathering {
  return new Gathering((parts) => parts.contextId);
}

/** @internal Joins the contexts of both sides and the counts of their differences. */
export function contextsDifference(
  [sidesA, sidesB]: readonly [a: Contexts, b: Contexts],
  { gathered, elsewhere: { kinds, benign } }: Gathering,
  summary: DiffSummary,
): ContextsDifference {
  const ids = [...new Set([...sidesA.keys(), ...sidesB.keys(), ...gathered.keys()])].sort();
  const contexts = ids.map((contextId) => ({
    contextId,
    a: sidesA.get(contextId),
    b: sidesB.get(contextId),
    ...(gathered.get(contextId) ?? nothing()),
  }));
  return { contexts, elsewhere: { kinds, benign }, summary };
}

/** Describes the differences of a context in sentences. A and B are the two databases. */
export function sentencesOf({ a, b, kinds, benign, meta }: ContextDifference): string[] {
  const said: string[] = [];
  const described = ["ContextState", "ContextDagDelta", "ContextMeta"];
  if (a !== undefined && b !== undefined) {
    said.push(...stateSentences(kinds.ContextState, a, b), ...deltaSentences(kinds.ContextDagDelta, a, b));
    if (meta.length > 0) said.push(`ContextMeta differs in ${meta.join(", ")}`);
  } else {
    described.length = 0;
    if (a !== undefined || b !== undefined) said.push(`only ${a === undefined ? "B" : "A"} has this context`);
    else said.push("neither has this context, but rows of it are left");
  }
  const others = Object.entries(kinds).filter(([kind]) => !described.includes(kind));
  said.push(...kindSentences({ kinds: Object.fromEntries(others), benign }));
  return said.length === 0 ? ["equal"] : said;
}

/** Describes the differences by kind of row in sentences. */
export function kindSentences({ kinds, benign }: Pick<ContextDifference, "kinds" | "benign">): string[] {
  return [
    ...Object.entries(kinds).map(([kind, of]) => `${kind}: ${countsText(of)}`),
    ...(benign > 0 ? [`${rowsText(benign)} with benign differences (correct nodes may have them)`] : []),
  ];
}

/** `3 rows only in A, 1 row differs` */
function countsText({ onlyInA, onlyInB, different }: KindDifference): string {
  return [
    ...(onlyInA > 0 ? [`${rowsText(onlyInA)} only in A`] : []),
    ...(onlyInB > 0 ? [`${rowsText(onlyInB)} only in B`] : []),
    ...(different > 0 ? [`${rowsText(different)} ${differ(different)}`] : []),
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
  const heads = ({ dagHeads }: ContextSide) => dagHeads.map(short).join(", ") || "the beginning";
  const sameHeads = [...a.dagHeads].sort().join() === [...b.dagHeads].sort().join();
  const lacks = (who: string, number: number, side: ContextSide) => {
    const lacked = `${who} lacks ${number}${sameHeads ? " older" : ""} ${number === 1 ? "delta" : "deltas"}`;
    return sameHeads ? `${lacked}, heads ${heads(side)} in both` : `${lacked} after ${heads(side)}`;
  };
  const said: string[] = [];
  const { onlyInA = 0, onlyInB = 0, different = 0 } = deltas ?? {};
  if (onlyInA > 0) said.push(lacks("B", onlyInA, b));
  if (onlyInB > 0) said.push(lacks("A", onlyInB, a));
  if (different > 0)
    said.push(`${different} ${different === 1 ? "delta" : "deltas"} with the same id ${differ(different)}`);
  if (onlyInA + onlyInB === 0 && !sameHeads)
    said.push(`the same deltas, heads ${heads(a)} in A and ${heads(b)} in B`);
  return said;
}

/** The contexts of a side, by their ids in hex. */
type Contexts = ReadonlyMap<string, ContextSide>;

/** @internal Reads the contexts of both sides. Closes both sources if that fails. */
export async function contextsOfBoth(
  a: RowSource,
  b: RowSource,
): Promise<readonly [a: Contexts, b: Contexts]> {
  try {
    return [await contextsOf(a), await contextsOf(b)];
  } catch (error) {
    await a.close?.();
    await b.close?.();
    throw error;
  }
}

async function contextsOf(source: RowSource): Promise<Contexts> {
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

function rowsText(rows: number): string {
  return `${rows} ${rows === 1 ? "row" : "rows"}`;
}

function differ(count: number): string {
  return count === 1 ? "differs" : "differ";
}

function short(id: string): string {
  return `${id.slice(0, 8)}…`;
}
