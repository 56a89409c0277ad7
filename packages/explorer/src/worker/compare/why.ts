/** The causes why two nodes differ in a context or a group. */
import { sameVerdicts, type WhyCause, type WhyRow, whyDiffer, wrongVerdicts } from "merostore/diff";
import { contextFacts } from "../database/context-facts.js";
import type { Database } from "../database/database.js";
import { openBoth } from "../state/both-states.js";

/** The most rows of a cause whose kinds are counted, and the most rows that are sent to the page. */
const [COUNTED, MOST_ROWS] = [1_000, 200];
/** Hex digits of the longest key that a link has. */
const LONGEST_KEY = 2_000;

/** A row that differs. */
export interface CauseRow {
  /** The name of the kind, or of the column family for a row of no known kind. */
  readonly kind: string;
  /** The key in hex, or its beginning. */
  readonly key: string;
  /** False for a row without a view: of no known kind, or with a key that is too long for a link. */
  readonly hasView: boolean;
  /** The sides that have the row. */
  readonly on: "a" | "b" | "both";
}

/** Operations or deltas that are a cause. */
export interface CauseEvent {
  /** The sides that have them; `each` if some are on one side only, and others on the other. */
  readonly on: CauseRow["on"] | "each";
  /** The bounds of their times, in milliseconds since 1970; undefined if unknown. */
  readonly after: number | undefined;
  readonly before: number | undefined;
  /** The first of them, and the namespace or context whose history has it. */
  readonly of: "namespace" | "context";
  readonly within: string;
  readonly id: string;
}

/** A cause, with the rows that it explains. */
export interface Cause {
  /** True if correct nodes always may differ by it, as in their own keys, clocks and counters. */
  readonly isOwn: boolean;
  readonly sentence: string;
  /** The operations or deltas of the cause; undefined for any other cause. */
  readonly event: CauseEvent | undefined;
  readonly rowCount: number;
  /** The first rows. */
  readonly rows: readonly CauseRow[];
  /** The kinds of its rows, the most frequent first. Of many rows, only the first are counted. */
  readonly kinds: readonly (readonly [kind: string, rows: number])[];
}

/** The answer. */
export interface Why {
  readonly verdict: "same" | "expected" | "wrong" | "unknown";
  readonly sentence: string;
  /** The causes, the first one first. */
  readonly causes: readonly Cause[];
  /** The rows without a cause. */
  readonly unexplained: Cause;
  /** The column families that could not be read whole. */
  readonly unread: readonly string[];
}

/** Finds the causes. Undefined for a thing that neither node has. */
export async function why(
  a: Database,
  b: Database,
  of: "context" | "group",
  id: string,
): Promise<Why | undefined> {
  const isOneName = a.opened.name === b.opened.name;
  const [nameA, nameB] = [a.opened.name, b.opened.name].map((name, side) =>
    isOneName ? `${name} (${"AB"[side]})` : name,
  ) as [string, string];
  const [answer] = await whyDiffer(
    [
      { name: nameA, reader: a.store, node: a.node },
      { name: nameB, reader: b.store, node: b.node },
    ],
    {
      [of]: id,
      rows: COUNTED,
      stateOptions: async () => (await openBoth(a, b, id))[0].options,
    },
  );
  const [pair] = answer?.pairs ?? [];
  if (pair === undefined) return undefined;
  const { sentence, causes, unexplained, unexplainedCount } = pair;
  const unread = [...new Set([...a.damage.keys(), ...b.damage.keys()])];
  const isWrong = wrongVerdicts.includes(pair.verdict) || unexplainedCount > 0;
  const known = isWrong ? "wrong" : sameVerdicts.includes(pair.verdict) ? "same" : "expected";
  return {
    verdict: pair.verdict === "unknown" || unread.length > 0 ? "unknown" : known,
    sentence,
    causes: await shownCauses(causes, nameA, [a, b], id),
    unexplained: shown(
      { rule: "", sentence: "unexplained", rows: unexplained, rowCount: unexplainedCount },
      nameA,
      undefined,
    ),
    unread,
  };
}

function shown(
  { rule, sentence, rows, rowCount }: Pick<WhyCause, "rule" | "sentence" | "rows" | "rowCount">,
  nameA: string,
  event: CauseEvent | undefined,
): Cause {
  const kinds = new Map<string, number>();
  for (const row of rows) kinds.set(kindOf(row), (kinds.get(kindOf(row)) ?? 0) + 1);
  return {
    isOwn: rule === "expected",
    sentence,
    event,
    rowCount,
    rows: rows.slice(0, MOST_ROWS).map((row) => ({
      kind: kindOf(row),
      key: row.key.slice(0, LONGEST_KEY),
      hasView: row.kind !== null && row.key.length <= LONGEST_KEY,
      on: row.in.length > 1 ? "both" : row.in[0] === nameA ? "a" : "b",
    })),
    kinds: [...kinds].sort(([, one], [, other]) => other - one),
  };
}

function kindOf({ kind, column }: WhyRow): string {
  return kind ?? column;
}

/** The most operations and deltas of a cause whose times are read. */
const MOST_EVENTS = { namespace: 200, context: 5_000 } as const;

async function shownCauses(
  causes: readonly WhyCause[],
  nameA: string,
  databases: readonly [Database, Database],
  id: string,
): Promise<readonly Cause[]> {
  const having: Database[] = [];
  for (const database of databases) if ((await contextFacts(database)).has(id)) having.push(database);
  const all: Cause[] = [];
  for (const cause of causes) {
    const events: (readonly Event[])[] = [];
    for (const database of databases)
      events.push(await eventsOn(cause, database, having.includes(database) ? id : undefined));
    all.push(shown(cause, nameA, eventOf(cause, events)));
  }
  return all;
}

/** An operation or a delta. */
interface Event {
  readonly id: string;
  readonly within: string;
  readonly after: number | undefined;
  readonly before: number | undefined;
}

/** The first operations of a cause that a database has, or else the deltas. */
async function eventsOn(
  { operations, deltas }: WhyCause,
  { node }: Database,
  context: string | undefined,
): Promise<readonly Event[]> {
  const found: Event[] = [];
  for (const id of operations.slice(0, MOST_EVENTS.namespace)) {
    const operation = await node.operation(id);
    if (operation === undefined) continue;
    const { namespace, time } = operation;
    found.push({ id, within: namespace.id, after: time?.after, before: time?.before });
  }
  if (operations.length > 0 || context === undefined) return found;
  for (const delta of await node.deltasOf(context, deltas.slice(0, MOST_EVENTS.context)))
    if (delta) found.push({ id: delta.id, within: context, after: delta.time, before: delta.time });
  return found;
}

function eventOf(
  { operations, deltas }: WhyCause,
  [inA = [], inB = []]: readonly (readonly Event[])[],
): CauseEvent | undefined {
  const [first] = [...inA, ...inB];
  if (first === undefined) return undefined;
  const of = operations.length > 0 ? "namespace" : "context";
  const isWhole = (of === "namespace" ? operations : deltas).length <= MOST_EVENTS[of];
  const ids = [inA, inB].map((events) => new Set(events.map(({ id }) => id)));
  const isBoth = inA.length === inB.length && inA.every(({ id }) => ids[1]?.has(id));
  // If one has no bound, all together have none.
  const bound = (name: "after" | "before", of: (a: number, b: number) => number): number | undefined =>
    isWhole
      ? [...inA, ...inB]
          .map((event) => event[name])
          .reduce((a, b) => (a === undefined || b === undefined ? undefined : of(a, b)))
      : undefined;
  return {
    on: isBoth ? "both" : inB.length === 0 ? "a" : inA.length === 0 ? "b" : "each",
    after: bound("after", Math.min),
    before: bound("before", Math.max),
    ...{ of, within: first.within, id: first.id },
  };
}
