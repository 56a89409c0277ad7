/** Corrupts rows one at a time, and notes how severely verification reports each. */
import { toHex } from "../../../src/bytes/hex.js";
import type { Severity } from "../../../src/verify/index.js";
import { Subject } from "../../faults/values/subject.js";
import { grouped } from "../../support/lists.js";
import { Corrupter, DEEDS, type Deed } from "./cases.js";

/** The most severe finding that a corruption adds. */
export type Outcome = Severity | "none";

/** The result of a corruption. */
export interface Corrupted {
  readonly revision: string;
  readonly kind: string;
  readonly deed: Deed;
  readonly outcome: Outcome;
  /** The whole result as text: the database, the row, the change, and the rules that noticed it. */
  readonly line: string;
}

export interface CorruptionFigures {
  readonly found: readonly Corrupted[];
  /** The number of each outcome, by kind and deed: errors/warnings/infos/none. Lines with columns. */
  readonly table: readonly string[];
}

/** Databases of nodes, small ones first, each with a second one, for which its node may be mistaken. */
const SUBJECTS: readonly (readonly [name: string, other: string])[] = [
  ["core-0.10/node-b", "core-0.10/node-a"],
  ["core-0.10/node-a", "core-0.10/node-b"],
  ["core-0.11/node-c", "core-0.11/node-b"],
  ["core-0.11/node-b", "core-0.11/node-c"],
  ["core-0.11/node-a", "core-0.11/node-b"],
];

/** From the worst to the best. */
const OUTCOMES: readonly Outcome[] = ["error", "warning", "info", "none"];

/**
 * Corrupts rows of all databases of nodes.
 *
 * @param fixtures the folder of all fixtures
 * @param most rows of each kind in each database, spread over all of them
 * @param all whether to repeat corruptions in other rows and databases of a revision
 */
export async function corruptRows(fixtures: string, most: number, all: boolean): Promise<CorruptionFigures> {
  const found: Corrupted[] = [];
  const done = new Set<string>();
  for (const [name, otherName] of SUBJECTS) {
    const subject = await Subject.open(fixtures, name);
    const other = await Subject.open(fixtures, otherName);
    const revision = subject.schema.name;
    const corrupter = new Corrupter(subject.schema, subject.rows, other.rows);
    for (const [kind, rows] of grouped(subject.rows, (row) => subject.kindOf(row))) {
      for (const row of spread(rows, most)) {
        for (const { deed, what, changes } of corrupter.of(row)) {
          const once = [revision, kind, deed, deed === "changed" ? what : ""].join(" ");
          if (!all && done.has(once)) continue;
          done.add(once);
          const notices = await subject.noticesAfter(changes);
          const outcome = OUTCOMES.find((one) => notices.some(({ severity }) => severity === one)) ?? "none";
          const rules = [...new Set(notices.map(({ rule, severity }) => `${rule} (${severity})`))].join(", ");
          const line = [name, kind, deed, toHex(row.key), what, outcome, rules].join(" ");
          found.push({ revision, kind, deed, outcome, line });
        }
      }
    }
  }
  return { found, table: tableOf(found) };
}

function tableOf(found: readonly Corrupted[]): readonly string[] {
  const kinds = [...grouped(found, ({ revision, kind }) => `${revision} ${kind}`)].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const lines = kinds.map(([name, ofKind]) => {
    const cells = DEEDS.map((deed) => {
      const cases = ofKind.filter((one) => one.deed === deed);
      const counts = OUTCOMES.map((outcome) => cases.filter((one) => one.outcome === outcome).length);
      return cases.length === 0 ? "-" : counts.join("/");
    });
    return [name.padEnd(50), ...cells.map((cell) => cell.padEnd(14))].join("");
  });
  return [["".padEnd(50), ...DEEDS.map((deed) => deed.padEnd(14))].join(""), ...lines];
}

/** Some of a list, spread from its beginning to its end. */
function spread<T>(list: readonly T[], most: number): readonly T[] {
  const step = Math.max(1, list.length / most);
  return Array.from({ length: Math.min(list.length, most) }, (_, at) => list[Math.floor(at * step)] as T);
}
