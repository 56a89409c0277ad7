/** The rows of a group that differ from the replay of its operations. */
import { counted } from "../bytes/quantity.js";
import type { RowDifference } from "../diff/browser.js";
import type { RowFact } from "../node/index.js";
import type { Causes, Decision, DifferingRows, NewCause } from "./causes.js";
import { byName, type GroupSide, type GroupSides, otherOf } from "./group-side.js";
import { factText, isWrong } from "./row-faults.js";

/** The rows of one node. */
interface OfNode {
  /** The fault of the first row; undefined without rows. */
  fact: RowFact | undefined;
  count: number;
  /** The wrong rows. A row that is wrong on both nodes belongs to the first one. */
  readonly rows: DifferingRows;
  /** The rows that unreadable operations may have set. */
  readonly unread: DifferingRows;
  /** The largest number of unreadable operations for one row. */
  unreadable: number;
}

/** Gathers these rows. */
export class WrongRows {
  readonly #sides: GroupSides;
  readonly #causes: Causes;
  readonly #found: ReadonlyMap<GroupSide, OfNode>;

  constructor(sides: GroupSides, causes: Causes) {
    this.#sides = sides;
    this.#causes = causes;
    const none = (): OfNode => ({
      fact: undefined,
      count: 0,
      rows: causes.noRows(),
      unread: causes.noRows(),
      unreadable: 0,
    });
    this.#found = new Map(sides.map((side) => [side, none()]));
  }

  /** Takes a row that is wrong on a node by the facts of both nodes. Returns false for other rows. */
  take(facts: readonly (RowFact | undefined)[], row: RowDifference): boolean {
    let isTaken = false;
    for (const side of byName(this.#sides)) {
      const fact = facts[this.#sides.indexOf(side)];
      // A log lists every applied operation, also those that the node lost later.
      const lacksSome = side.lacks.length > 0 || (side.governance?.lost.size ?? 0) > 0;
      const isUnknown = lacksSome && fact?.kind === "GroupOpLog" && fact.status !== "differs";
      if (fact === undefined || isUnknown || !isWrong(fact)) continue;
      this.#takeOf(side, fact, isTaken ? undefined : row);
      isTaken = true;
    }
    return isTaken;
  }

  /** Adds the causes of each node. */
  add(): void {
    for (const [{ peer }, { count, rows, unread, unreadable }] of this.#found) {
      const differ = count === 1 ? "differs" : "differ";
      if (count > 0)
        this.#add(rows, {
          rule: "contradiction",
          sentence: `${counted(count, "row")} of ${peer.name} ${differ} from the replay of its operations`,
        });
      if (unread.count > 0)
        this.#add(unread, {
          rule: "key",
          sentence: `${peer.name} cannot read ${counted(unreadable, "operation")}, which may have changed this`,
        });
    }
  }

  /** The verdict on a group with this name; undefined if no row is wrong. */
  decided(name: string): Decision | undefined {
    const wrong = byName(this.#sides).flatMap((side) => {
      const fact = this.#found.get(side)?.fact;
      return fact === undefined ? [] : { side, fact, node: side.peer.name };
    });
    const [first, second] = wrong;
    if (first === undefined) return undefined;
    const other = otherOf(this.#sides, first.side);
    const right = other.governance === undefined ? "" : `; ${other.peer.name} is right`;
    const judge = second === undefined ? right : `; so does one at ${second.node}: ${factText(second.fact)}`;
    const sentence = `a row of ${name} at ${first.node} differs from the replay of its operations: ${factText(first.fact)}${judge}`;
    return { verdict: "diverged", sentence, about: wrong.map(({ node }) => node) };
  }

  /** @param row undefined if it belongs to the fault of the other node */
  #takeOf(side: GroupSide, fact: RowFact, row: RowDifference | undefined): void {
    const wrong = this.#found.get(side) as OfNode;
    if (fact.unreadable > 0) {
      wrong.unreadable = Math.max(wrong.unreadable, fact.unreadable);
      if (row !== undefined) wrong.unread.add(row);
      return;
    }
    wrong.fact ??= fact;
    wrong.count++;
    if (row !== undefined) wrong.rows.add(row);
  }

  #add(rows: DifferingRows, cause: NewCause): void {
    this.#causes.takeAll(rows, this.#causes.add(cause));
  }
}
