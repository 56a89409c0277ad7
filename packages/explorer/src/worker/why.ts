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

/** A cause, with the rows that it explains. */
export interface Cause {
  /** True if correct nodes may differ by it in any case: in their own keys, clocks and counters. */
  readonly isOwn: boolean;
  readonly sentence: string;
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
    causes: causes.map((cause) => shown(cause, nameA)),
    unexplained: shown(
      { rule: "", sentence: "unexplained", rows: unexplained, rowCount: unexplainedCount },
      nameA,
    ),
    unread,
  };
}

function shown(
  { rule, sentence, rows, rowCount }: Pick<WhyCause, "rule" | "sentence" | "rows" | "rowCount">,
  nameA: string,
): Cause {
  const kinds = new Map<string, number>();
  for (const row of rows) kinds.set(kindOf(row), (kinds.get(kindOf(row)) ?? 0) + 1);
  return {
    isOwn: rule === "expected",
    sentence,
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
