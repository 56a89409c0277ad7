/** The causes why two nodes differ in a context or a group. */
import { sameVerdicts, type WhyCause, type WhyRow, whyDiffer, wrongVerdicts } from "merostore/diff";
import { openBoth } from "./both-states.js";
import type { Database } from "./database.js";

/** Rows of a cause whose kinds are counted, and those that reach the page. */
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
  /** The sides that have them. */
  readonly on: CauseRow["on"];
  /** The bounds of their times, in milliseconds since 1970; undefined where nothing says so. */
  readonly after: number | undefined;
  readonly before: number | undefined;
  /** The first of them, and the namespace or context whose history has it. */
  readonly of: "namespace" | "context";
  readonly within: string;
  readonly id: string;
}

/** A cause, with the rows that it explains. */
export interface Cause {
  /** True if correct nodes may differ by it in any case: in their own keys, clocks and counters. */
  readonly isOwn: boolean;
  readonly sentence: string;
  /** The operations or deltas that it is; undefined for a cause that is neither. */
  readonly event: CauseEvent | undefined;
  readonly rowCount: number;
  /** The first rows. */
  readonly rows: readonly CauseRow[];
  /** The kinds of its rows, the most frequent first; of many rows, those of the first. */
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
    causes: await Promise.all(
      causes.map(async (cause) => shown(cause, nameA, await eventOf(cause, [a, b], id))),
    ),
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

/** Deltas whose times are read. */
const MOST_DELTAS = 5_000;

/** The operations, or else the deltas, that a cause is. */
async function eventOf(
  { operations, deltas }: WhyCause,
  databases: readonly [Database, Database],
  context: string,
): Promise<CauseEvent | undefined> {
  const of = operations.length > 0 ? "namespace" : "context";
  const ids = operations.length > 0 ? operations : deltas.slice(0, MOST_DELTAS);
  const found = await Promise.all(
    databases.map(async ({ node }) => {
      const rows: { id: string; within: string; after: number | undefined; before: number | undefined }[] =
        [];
      if (of === "context") {
        if ((await node.contexts()).every((one) => one.context.id !== context)) return rows;
        for (const delta of await node.deltasOf(context, ids))
          if (delta) rows.push({ id: delta.id, within: context, after: delta.time, before: delta.time });
      } else
        for (const id of ids) {
          const operation = await node.operation(id);
          if (operation) rows.push({ id, within: operation.namespace.id, ...bounds(operation.time) });
        }
      return rows;
    }),
  );
  const [inA = [], inB = []] = found;
  const [first] = [...inA, ...inB];
  if (first === undefined) return undefined;
  const isWhole = of === "namespace" || deltas.length <= MOST_DELTAS;
  const times = (bound: "after" | "before") => [...inA, ...inB].flatMap((one) => one[bound] ?? []);
  return {
    on: inA.length > 0 && inB.length > 0 ? "both" : inA.length > 0 ? "a" : "b",
    after: isWhole ? times("after").reduce<number | undefined>(lesser, undefined) : undefined,
    before: isWhole ? times("before").reduce<number | undefined>(greater, undefined) : undefined,
    ...{ of, within: first.within, id: first.id },
  };
}

function bounds(time: { after: number | undefined; before: number | undefined } | undefined) {
  return { after: time?.after, before: time?.before };
}

function lesser(a: number | undefined, b: number): number {
  return a === undefined ? b : Math.min(a, b);
}

function greater(a: number | undefined, b: number): number {
  return a === undefined ? b : Math.max(a, b);
}
