/** The differences between two databases by context. */

import { idHex } from "../bytes/id.js";
import type { Json } from "../codec/index.js";
import { checkOptions, type OptionChecks } from "../options.js";
import { type ProgressOptions, progressOptions } from "../progress.js";
import { rowToJson, type Schema, selectionOptions, selectRows } from "../schemas/index.js";
import { ContextFacts, TRUE, type Untrue } from "./context-facts.js";
import { type DiffOptions, type DiffSummary, differingRows } from "./diff-rows.js";
import { type Gathered, Gathering, gather, type KindDifference, nothing } from "./gather.js";
import { type LackedDeltas, NO_DELTAS, OlderDeltaCounts, type OlderDeltas } from "./older-deltas.js";
import { checkSources, type RowSource } from "./row-source.js";
import { type ContextVerdict, verdictOf } from "./verdict.js";

/** One side's state of a context. */
export interface ContextSide {
  /** Full hash of the state's root entity: 32 bytes in hex; zeros until there is a state; null if its row does not decode. */
  readonly rootHash: string | null;
  /** Ids of the deltas that no other delta follows: 32 bytes each, in hex; empty if the row does not decode. */
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
  /**
   * Deltas that one node need not have: it applied deltas that follow them, as after a snapshot. `benign` counts them
   * as well.
   */
  readonly older: OlderDeltas;
  /** Deltas that the first node applied, and that the second should have but did not apply. */
  readonly onlyInA: LackedDeltas;
  /** Deltas that the second node applied, and that the first should have but did not apply. */
  readonly onlyInB: LackedDeltas;
  /** The numbers of differing rows of deltas that do not decode on each side. */
  readonly unreadDeltas: readonly [a: number, b: number];
  /** The sides with a wrong root hash or head, if ContextMeta differs. */
  readonly untrue: Untrue;
  /** Fields of ContextMeta that differ, other than the root hash and the heads. */
  readonly meta: readonly string[];
  /**
   * True if the nodes agree on the context: both have it, with the same state and the same deltas, and every other
   * difference is benign. The heads may differ: a node need not list a delta that it applied, but it has every delta
   * that it lists. If neither node has the context, the rows left in both must be equal.
   */
  readonly agree: boolean;
  /** The relation of the nodes in one word. */
  readonly verdict: ContextVerdict;
}

/** All contexts of both sides, and the differences in rows that belong to no context. */
export interface ContextsDifference {
  /** All contexts of both sides, equal contexts included. */
  readonly contexts: readonly ContextDifference[];
  /** The differences in rows that name no context. */
  readonly elsewhere: Pick<ContextDifference, "kinds" | "benign">;
  /** True if the nodes agree on all contexts. Rows that name no context do not count. */
  readonly agree: boolean;
  /** The counts of all differences, of contexts and elsewhere. */
  readonly summary: DiffSummary;
}

/** The options. All rows of a context are compared: a part of them would not show whether the context is equal. */
export type ContextsOptions = Pick<DiffOptions, "contextId"> & ProgressOptions;

const contextsOptions: OptionChecks<ContextsOptions> = {
  contextId: selectionOptions.contextId,
  ...progressOptions,
};

/**
 * Compares rows and groups the differences by context. Closes both sources at the end, but not their stores.
 *
 * @throws MerostoreError `INVALID_ARGUMENT`, and both sources stay open; all errors of `diffRows`
 */
export async function diffByContext(
  a: RowSource,
  b: RowSource,
  options: ContextsOptions = {},
): Promise<ContextsDifference> {
  checkSources("diffByContext", a, b);
  checkOptions("diffByContext", options, contextsOptions);
  const contextId = options.contextId === undefined ? undefined : idHex(options.contextId);
  const fixed = { ...options, contextId };
  const sides = await ComparedContexts.of(a, b, contextId);
  const gathering = gatheringByContext();
  const onPair = sides.add.bind(sides);
  const summary = await gather(differingRows(a, b, { ...fixed, onPair }), [gathering]);
  return contextsDifference(sides, gathering, summary);
}

/** @internal Counts differences by context. */
export function gatheringByContext(): Gathering {
  return new Gathering((parts) => parts.contextId);
}

/** @internal Joins the contexts of both sides and the counts of their differences. */
export function contextsDifference(
  { a: sidesA, b: sidesB, facts, older: olderDeltas }: ComparedContexts,
  { gathered, elsewhere: { kinds, benign } }: Gathering,
  summary: DiffSummary,
): ContextsDifference {
  const ids = [...new Set([...sidesA.keys(), ...sidesB.keys(), ...gathered.keys()])].sort();
  const counts = olderDeltas.counts();
  let olderBenign = 0;
  const contexts = ids.map((contextId) => {
    const [a, b] = [sidesA.get(contextId), sidesB.get(contextId)];
    const { older, unread: unreadDeltas, ...lacked } = counts.get(contextId) ?? NO_DELTAS;
    const found = withoutOlder(gathered.get(contextId) ?? nothing(), older);
    olderBenign += older.onlyInA + older.onlyInB;
    const untrue = a === undefined || b === undefined ? TRUE : facts.untrue(contextId, a, b);
    const agree = agreeOn(a, b, found) && !untrue.heads.includes(true);
    const all = { a, b, ...found, ...lacked, unreadDeltas, untrue, agree };
    return { contextId, ...all, older, verdict: verdictOf(all) };
  });
  return {
    contexts,
    elsewhere: { kinds, benign },
    agree: contexts.every(({ agree }) => agree),
    summary: { ...summary, benign: summary.benign + olderBenign },
  };
}

/** Counts older deltas as benign. */
function withoutOlder({ kinds, benign, meta }: Gathered, { onlyInA, onlyInB }: OlderDeltas): Gathered {
  const { ContextDagDelta: deltas, ...others } = kinds;
  if (deltas === undefined || onlyInA + onlyInB === 0) return { kinds, benign, meta };
  const left = { ...deltas, onlyInA: deltas.onlyInA - onlyInA, onlyInB: deltas.onlyInB - onlyInB };
  const lacking = left.onlyInA + left.onlyInB + left.different > 0;
  return {
    kinds: lacking ? { ...kinds, ContextDagDelta: left } : others,
    benign: benign + onlyInA + onlyInB,
    meta,
  };
}

function agreeOn(
  a: ContextSide | undefined,
  b: ContextSide | undefined,
  { kinds, meta }: Pick<ContextDifference, "kinds" | "meta">,
): boolean {
  // After both nodes deleted a context, one may have rows left that the other lacks.
  if (a === undefined && b === undefined)
    return Object.values(kinds).every(({ different }) => different === 0);
  if (a === undefined || b === undefined) return false;
  const others = Object.keys(kinds).filter((kind) => kind !== "ContextMeta");
  return a.rootHash === b.rootHash && meta.length === 0 && others.length === 0;
}

/** The contexts of a side, by their ids in hex. */
type Contexts = ReadonlyMap<string, ContextSide>;

/** @internal The contexts of both sides, and the facts in their rows. */
export class ComparedContexts {
  readonly a: Contexts;
  readonly b: Contexts;
  readonly older: OlderDeltaCounts;
  readonly facts: ContextFacts;

  private constructor(schemas: readonly [a: Schema, b: Schema], a: Contexts, b: Contexts) {
    this.a = a;
    this.b = b;
    this.older = new OlderDeltaCounts(...schemas);
    this.facts = new ContextFacts(...schemas);
    for (const [id, said] of a) {
      const other = b.get(id);
      if (other !== undefined) this.facts.expect(id, said, other);
    }
    this.facts.start();
  }

  /**
   * Reads the contexts of both sides. Closes both sources if that fails.
   *
   * @param only the one context that is compared, 64 hex digits
   */
  static async of(a: RowSource, b: RowSource, only?: string): Promise<ComparedContexts> {
    try {
      return new ComparedContexts([a.schema, b.schema], await contextsOf(a, only), await contextsOf(b, only));
    } catch (error) {
      await a.close?.();
      await b.close?.();
      throw error;
    }
  }

  /** Takes the rows of a key; the keys of each column family ascend. */
  add(...pair: Parameters<OlderDeltaCounts["add"]>): void {
    this.older.add(...pair);
    this.facts.add(...pair);
  }
}

async function contextsOf(source: RowSource, only: string | undefined): Promise<Contexts> {
  const found = new Map<string, ContextSide>();
  if (!source.columns.includes("Meta")) return found;
  const ranges = selectRows({ contextId: only }).ranges("Meta", source.schema);
  for await (const chunk of source.rows("Meta", ranges)) {
    for (const { key, value } of chunk) {
      if (value === undefined) continue;
      const { kind, parts, decoded } = rowToJson(source.schema, "Meta", { key, value });
      const meta = decoded as { readonly rootHash: string; readonly dagHeads: readonly string[] } | undefined;
      const contextId: Json | undefined = parts?.contextId;
      if (kind === "ContextMeta" && typeof contextId === "string" && contextId === (only ?? contextId))
        found.set(contextId, { rootHash: meta?.rootHash ?? null, dagHeads: meta?.dagHeads ?? [] });
    }
  }
  return found;
}
