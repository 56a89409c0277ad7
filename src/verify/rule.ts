/**
 * A rule is a name, a sentence and a loop: over the rows of one kind, which arrive in batches, in key order, decoded.
 * Rows of other kinds are looked up. All rules about a column family are fed by one scan of it.
 */
import { equalBytes } from "../bytes/order.js";
import type { RuleText } from "../findings/index.js";
import { type AnyKeyClass, ContextMeta, type KeyOf, NamespaceGovOp } from "../keys/index.js";
import type { ReplayFact } from "../node/replay/index.js";
import { checkArgument, hasMembers, isFunction, isList } from "../options.js";
import type { ClassesOf, Schema, ValueFor } from "../schemas/index.js";
import type { Examined, GoodRow } from "./examine.js";
import type { RowFinding } from "./finding.js";
import { havingKinds, type Reference, type RowFor } from "./reference.js";
import type { ReplayedContext } from "./replayed-context.js";
import { since010 } from "./since.js";
import type { Tools } from "./tools.js";

export type { GoodRow } from "./examine.js";

/** A condition that a database should satisfy. */
export interface Rule extends RuleText {
  /** The numbers of the relations that it checks: see `relations`. */
  readonly relations: readonly number[];
  /**
   * True if it is about two rows that the node writes one after the other. A crash between the two writes breaks one
   * pair, so one broken pair is a warning, and several are errors.
   */
  readonly pairs?: boolean;
  /**
   * The reason why revisions after those of its checks are not checked, although the rule holds there; undefined if all
   * are checked.
   */
  readonly laterUnknown?: string;
  /** True if it reads blob files: it then needs the folder of the blobs. */
  readonly needsBlobs?: boolean;
  /** The loops of the rule. A rule without checks is about damaged files. */
  readonly checks: readonly Check[];
  /** The checks that are references, as data: a field of a row names another row. */
  readonly references?: readonly Reference[];
}

/** The rows of a kind in key order, batch by batch. Rows that do not decode are left out. */
export type Batches<S extends Schema, C extends AnyKeyClass> = AsyncIterable<
  readonly GoodRow<KeyOf<C>, ValueFor<S, KeyOf<C>>>[]
>;

/** A check of the rows of one kind, in the revisions that have the layout it knows. */
export interface KindCheck {
  /** The kind of row. */
  readonly kind: AnyKeyClass;
  /** The revisions that have the rows in the layout that the check knows. */
  readonly revisions: readonly Schema[];
  /** Yields the findings about the rows, which come in batches and in key order. */
  run(
    rows: AsyncIterable<readonly GoodRow<unknown, unknown>[]>,
    tools: Tools,
  ): AsyncGenerator<RowFinding, void, undefined>;
}

/** A check of every row of any kind, known or unknown. It runs once for each column family. */
export interface RowCheck {
  /** Undefined: the check is about rows of every kind. */
  readonly kind: undefined;
  /** Yields the findings about the rows of a column family, which come in batches and in key order. */
  run(
    rows: AsyncIterable<readonly Examined[]>,
    tools: Pick<Tools, "checked">,
  ): AsyncGenerator<RowFinding, void, undefined>;
}

/** A check of the facts of a replay of the governance operations. */
export interface ReplayCheck {
  /** The kind of the rows that hold the operations. */
  readonly kind: AnyKeyClass;
  /** The revisions whose operations are replayed. */
  readonly revisions: readonly Schema[];
  /** Checks a fact. Returns a finding, or the number of conditions that hold: 0 if the rule is not about the fact. */
  look(fact: ReplayFact): RowFinding | number;
}

/** A check of the replay of a context's deltas. */
export interface StateCheck {
  /** The kind of the rows that name the contexts. */
  readonly kind: AnyKeyClass;
  /** The revisions whose deltas are replayed. */
  readonly revisions: readonly Schema[];
  /** Yields the findings about a context. It may change the position of the replay. */
  examine(context: ReplayedContext, tools: Tools): AsyncGenerator<RowFinding, void, undefined>;
}

/** A loop of a rule over rows. */
export type ScanCheck = KindCheck | RowCheck;

/** A loop of a rule over rows, or a check of a replay. */
export type Check = ScanCheck | ReplayCheck | StateCheck;

/** Returns whether a check is about a replay of the governance operations. */
export function isReplayCheck(check: Check): check is ReplayCheck {
  return "look" in check;
}

/** Returns whether a check is about a replay of deltas. */
export function isStateCheck(check: Check): check is StateCheck {
  return "examine" in check;
}

/** Returns whether a check loops over rows. */
export function isScanCheck(check: Check): check is ScanCheck {
  return "run" in check;
}

/** A check of the replay of each context's deltas. */
export function onStates(revisions: StateCheck["revisions"], examine: StateCheck["examine"]): StateCheck {
  return { kind: ContextMeta, revisions, examine };
}

/** A check of the facts of a replay of the governance operations. */
export function onReplay(
  look: ReplayCheck["look"],
  revisions: ReplayCheck["revisions"] = since010,
): ReplayCheck {
  return { kind: NamespaceGovOp, revisions, look };
}

/**
 * A check of the rows of a kind, for rules that look up other rows or remember earlier ones. It runs in those of the
 * revisions that have the kind.
 */
export function on<S extends Schema, C extends ClassesOf<S>>(
  revisions: readonly S[],
  kind: C,
  run: (batches: Batches<S, C>, tools: Tools<S>) => AsyncGenerator<RowFinding, void, undefined>,
): KindCheck {
  checkArgument("on", revisions, isList);
  checkArgument("on", run, isFunction);
  return { kind, revisions: havingKinds(revisions, kind), run: run as unknown as KindCheck["run"] };
}

/** A check of each row of a kind by itself. */
export function onEach<S extends Schema, C extends ClassesOf<S>>(
  revisions: readonly S[],
  kind: C,
  look: (row: GoodRow<KeyOf<C>, ValueFor<S, KeyOf<C>>>, tools: Tools<S>) => Iterable<RowFinding>,
): KindCheck {
  checkArgument("onEach", revisions, isList);
  checkArgument("onEach", look, isFunction);
  return on(revisions, kind, async function* (batches, tools) {
    // Not yield*: in an async generator it awaits the end even of an empty iterable.
    for await (const rows of batches)
      for (const row of rows) for (const finding of look(row, tools)) yield finding;
  });
}

/** A check of the rows of a kind, one batch after another, for rules that look up other rows for many at once. */
export function onBatch<S extends Schema, C extends ClassesOf<S>>(
  revisions: readonly S[],
  kind: C,
  look: (rows: readonly RowFor<S, C>[], tools: Tools<S>) => AsyncIterable<RowFinding>,
): KindCheck {
  return on(revisions, kind, async function* (batches, tools) {
    for await (const rows of batches) yield* look(rows, tools);
  });
}

/**
 * A check that each row of a kind has the bytes that follow from others.
 *
 * @param bytesOf returns what the row has and what it should have; undefined for a row that the rule is not about
 */
export function onEqual<S extends Schema, C extends ClassesOf<S>>(
  revisions: readonly S[],
  kind: C,
  message: string,
  bytesOf: (row: RowFor<S, C>) => readonly [found: Uint8Array, expected: Uint8Array] | undefined,
): KindCheck {
  return onEach(revisions, kind, function* (row, tools) {
    const compared = bytesOf(row);
    if (compared === undefined) return;
    tools.checked();
    const [found, expected] = compared;
    if (!equalBytes(found, expected)) yield { key: row.key, message, found, expected };
  });
}

/** A check of every row of the database. */
export function onEveryRow(look: (row: Examined) => RowFinding | undefined): RowCheck {
  return {
    kind: undefined,
    async *run(batches, tools) {
      for await (const rows of batches) {
        tools.checked(rows.length);
        for (const row of rows) {
          const finding = look(row);
          if (finding !== undefined) yield finding;
        }
      }
    },
  };
}

/** The names of the given revisions for which a rule holds. */
export function revisionsOf(rule: Rule, revisions: readonly Schema[]): readonly string[] {
  checkArgument("revisionsOf", rule, hasMembers("a rule", "name", "checks"));
  checkArgument("revisionsOf", revisions, isList);
  const { checks } = rule;
  return revisions
    .filter(
      (schema) =>
        checks.length === 0 ||
        checks.some((check) => check.kind === undefined || check.revisions.includes(schema)),
    )
    .map(({ name }) => name);
}
