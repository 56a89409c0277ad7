/** Deltas that both nodes have, and whose rows differ. */
import { counted } from "../bytes/quantity.js";
import type { RowDifference } from "../diff/browser.js";
import type { Causes, DifferingRows, WhyDifference } from "./causes.js";
import { deltasText } from "./lost.js";
import { listed } from "./naming.js";
import type { Side } from "./side.js";

/** Gathers the rows of such deltas. */
export class ChangedDeltas {
  readonly #rows: DifferingRows;
  readonly #ids: string[] = [];
  /** The words on the fields of the last one that differ. */
  #fields = "";

  /** @param rows none yet */
  constructor(rows: DifferingRows) {
    this.#rows = rows;
  }

  /** Takes the row of a delta that differs. */
  take(row: RowDifference): void {
    const { key, fields = [], moreFields = 0 } = row;
    const [field, ...more] = fields;
    this.#fields =
      field?.path && more.length === 0
        ? `${field.path} differs`
        : `${counted(fields.length + moreFields, "field")} differ`;
    this.#rows.add(row);
    this.#ids.push(key.slice(-64));
  }

  /** Adds the cause of the rows. Returns the words on it; undefined if there are none. */
  async addTo(
    causes: Causes,
    sides: readonly [Side, Side],
  ): Promise<Pick<WhyDifference, "sentence" | "about"> | undefined> {
    const [id, ...more] = this.#ids;
    if (id === undefined) return undefined;
    const names = causes.names.toSorted();
    const isOne = more.length === 0;
    const right = isOne ? await provenBeside(sides, id) : undefined;
    const judge = right === undefined ? "" : `; ${right} is right`;
    const what = `${deltasText(this.#ids)} ${isOne ? "is" : "are"} not the same at ${listed(names)}`;
    const sentence = `${what}${isOne ? `: ${this.#fields}` : ""}${judge}`;
    causes.takeAll(this.#rows, causes.add({ rule: "changed", sentence, deltas: this.#ids }));
    return { sentence, about: names.filter((name) => name !== right) };
  }
}

/** The name of the node whose deltas lead to the hash in a delta, where those of the other do not; undefined if there is none. */
async function provenBeside(sides: readonly [Side, Side], id: string): Promise<string | undefined> {
  const verdicts = [];
  for (const { replay } of sides)
    verdicts.push(replay.graph.numberOf(id) === undefined ? "" : (await replay.position(id)).verdict);
  const right = verdicts.findIndex((one) => one.startsWith("proven"));
  return verdicts[1 - right] === "differs" ? sides[right]?.source.name : undefined;
}
