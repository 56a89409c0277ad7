/** Rows of a state that differ though the entities in them have the same data: places in the tree, hashes, lists of children. */
import { fromHex, toHex } from "../bytes/hex.js";
import { equalBytes } from "../bytes/order.js";
import { counted } from "../bytes/quantity.js";
import { describeDifference, type RowDifference } from "../diff/browser.js";
import { Pause } from "../pause.js";
import type { Schema } from "../schemas/index.js";
import { EntityRows } from "../state/entity-rows.js";
import { layoutOf } from "../state/layouts/layout-of.js";
import { stateRowsOf } from "../state/replay/as-of.js";
import type { Causes, WhyDifference } from "./causes.js";
import { shortId } from "./naming.js";
import { MOST_WRONG, type Side } from "./side.js";

/** Fields of an entity that its hashes do not cover, and that no rule of who may write depends on. */
const UNCOVERED = /(?:^|\.)metadata\.(?:createdAt|updatedAt|schemaVersion|crdtType)\b|^deletedChildren/;

/** The judgement of the deltas on a row. */
interface Judged {
  /** The side whose row is not what its deltas lead to, where that of the other is. */
  readonly wrong: Side;
  /** The id of the entity, 64 hex digits. */
  readonly entity: string;
}

/** Gathers such rows, and compares each with the row that the deltas lead to. */
export class ChangedRows {
  readonly #rows: RowDifference[] = [];

  /** Takes a row. Returns false if only one node has it, or there are too many. */
  take(row: RowDifference): boolean {
    return row.difference === "different" && this.#rows.length < MOST_WRONG && this.#rows.push(row) > 0;
  }

  /**
   * Adds the causes of the rows that are wrong on one side; the others have none.
   *
   * @returns the words on the wrong rows; undefined without any
   */
  async addTo(
    causes: Causes,
    sides: readonly [Side, Side],
  ): Promise<Pick<WhyDifference, "sentence" | "about"> | undefined> {
    const pause = new Pause();
    const found = new Map<Side, { readonly rows: RowDifference[]; readonly entity: string }>();
    for (const { replay } of sides) if (this.#rows.length > 0) await replay.moveToFirst();
    for (const row of this.#rows) {
      await pause.ifLong();
      const judged = await judge(sides, row);
      if (judged === undefined) causes.take(row, "unexplained");
      else {
        const ofSide = found.get(judged.wrong) ?? { rows: [], entity: judged.entity };
        ofSide.rows.push(row);
        found.set(judged.wrong, ofSide);
      }
    }
    const sentences: string[] = [];
    for (const [{ source }, { rows, entity }] of found) {
      const [first] = rows;
      const [field] = first?.fields ?? [];
      const what =
        rows.length > 1
          ? `${counted(rows.length, "row")} of the state of ${source.name} are`
          : `${field?.path ? `${field.path} in ` : ""}the row of entity ${shortId(entity)} of ${source.name} is`;
      const other = sides.find((side) => side.source !== source);
      const sentence = `${what} not what its deltas lead to; ${other?.source.name} is right`;
      const place = causes.add({ rule: "contradiction", sentence });
      for (const row of rows) causes.take(row, place);
      sentences.push(sentence);
    }
    if (sentences.length === 0) return undefined;
    return {
      sentence: sentences.toSorted().join("; "),
      about: [...found.keys()].map(({ source }) => source.name),
    };
  }
}

/** Compares a row of both sides with what their deltas lead to; undefined if they do not say which is wrong. */
async function judge(sides: readonly [Side, Side], { key }: RowDifference): Promise<Judged | undefined> {
  const stateKey = fromHex(key).subarray(32);
  const contextId = fromHex(sides[0].replay.contextId);
  const stored = sides.map(
    ({ source }) => new EntityRows(source.reader.raw, contextId, layoutOf(source.reader.schema)),
  );
  const values = await Promise.all(stored.map((rows) => rows.valueAt(stateKey)));
  const names = stored.flatMap(({ entities }, at) => {
    const value = values[at];
    const row = value && { key: fromHex(key), value };
    return row === undefined ? [] : (entities.indexIn(row)?.id ?? entities.entityIn(row) ?? []);
  });
  for (const id of names) {
    const isAsReplayed: boolean[] = [];
    const isSame = (schema: Schema, wanted: Uint8Array, value: Uint8Array): boolean => {
      const [a, b] = [wanted, value].map((one) => ({ key: fromHex(key), value: one }));
      const row = { column: "State", a, schemaA: schema, b, schemaB: schema };
      return equalBytes(wanted, value) || isUncovered(describeDifference("different", row, undefined));
    };
    for (const [at, { source, replay }] of sides.entries()) {
      const rows = await stateRowsOf(source.reader.schema, replay, id);
      const wanted = rows.find((row) => equalBytes(row.stateKey, stateKey))?.value;
      const value = values[at];
      isAsReplayed.push(
        wanted !== undefined && value !== undefined && isSame(source.reader.schema, wanted, value),
      );
    }
    const wrong = sides[isAsReplayed.indexOf(false)];
    if (wrong !== undefined && isAsReplayed.includes(true)) return { wrong, entity: toHex(id) };
  }
  return undefined;
}

/** True if rows of an entity differ in nothing that its hashes cover: nodes that merge may keep other times and kinds. */
export function isUncovered({ kind, fields = [], moreFields }: RowDifference): boolean {
  const isPlain = ({ path }: { readonly path: string }): boolean => UNCOVERED.test(path);
  return kind === "ContextState" && moreFields === undefined && fields.length > 0 && fields.every(isPlain);
}
