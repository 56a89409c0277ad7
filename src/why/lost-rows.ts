/**
 * Rows that a node lost though it has their operation, delta or context: the `ScopeUnifiedOp` row, or `ContextConfig`.
 */
import { counted } from "../bytes/quantity.js";
import type { RowDifference } from "../diff/browser.js";
import type { Causes, DifferingRows, Words } from "./causes.js";
import { shortId } from "./naming.js";

/** The rows of one kind that one node lost. */
interface OfKind {
  readonly lacker: string;
  readonly kind: string;
  readonly what: "delta" | "operation" | "context";
  /** The id in the first row. */
  readonly id: string;
  readonly rows: DifferingRows;
}

/** Gathers these rows. */
export class LostRows {
  readonly #causes: Causes;
  readonly #lost = new Map<string, OfKind>();

  constructor(causes: Causes) {
    this.#causes = causes;
  }

  /**
   * Takes a row that only one node has. The last id in its key names the delta, operation or context that it belongs
   * to; both nodes have this one. Returns false for a row of both nodes, and for a row without a kind.
   */
  take(row: RowDifference, what: OfKind["what"]): boolean {
    const { kind, difference, key } = row;
    if (kind === null || difference === "different") return false;
    const lacker = this.#causes.names[difference === "only in a" ? 1 : 0];
    const name = `${lacker} ${kind}`;
    const found = this.#lost.get(name) ?? {
      lacker,
      kind,
      what,
      id: key.slice(-64),
      rows: this.#causes.noRows(),
    };
    this.#lost.set(name, found);
    found.rows.add(row);
    return true;
  }

  /** Adds a cause for each node and kind. Returns the words on each. */
  add(): readonly Words[] {
    return [...this.#lost.values()].map(({ lacker, kind, what, id, rows }) => {
      const { count } = rows;
      const belongs =
        count === 1 ? `${what} ${shortId(id)} without its` : `${counted(count, what)} without their`;
      const sentence = `${lacker} has ${belongs} ${count === 1 ? "row" : "rows"} ${kind}`;
      this.#causes.takeAll(rows, this.#causes.add({ rule: "contradiction", sentence }));
      return { sentence, about: [lacker] };
    });
  }
}
