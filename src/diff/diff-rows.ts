/** Comparing two databases row by row: one pass over both, side by side, whatever their size. */

import { compareBytes, equalBytes } from "../bytes/order.js";
import { type RowJson, type RowSelection, rowFilter, rowToJson, type Schema } from "../schemas/index.js";
import { differingFields, type FieldDifference } from "./fields.js";
import { honestDifference } from "./honest.js";
import type { RowSource, SourceRow } from "./row-source.js";

/** Which rows are compared. Without options: all. */
export interface DiffOptions extends RowSelection {
  /** Only these column families. */
  readonly columns?: readonly string[] | undefined;
  /** Called now and then with the number of rows that were read from both sides together. */
  readonly onProgress?: ((rows: number) => void) | undefined;
}

/** A row that is not the same on both sides. It holds no secret. */
export interface RowDifference {
  readonly difference: "only in a" | "only in b" | "different";
  readonly column: string;
  readonly kind: string | null;
  /** In hex. */
  readonly key: string;
  readonly parts: RowJson["parts"];
  /** Of a row that both have: the fields that differ. */
  readonly fields?: readonly FieldDifference[];
  /** Why nodes that did nothing wrong differ so; absent where they should not. */
  readonly honest?: string;
}

/** What was compared. */
export interface DiffSummary {
  readonly a: number;
  readonly b: number;
  readonly onlyInA: number;
  readonly onlyInB: number;
  readonly different: number;
  /** Of these differences, how many nodes that did nothing wrong have. */
  readonly honest: number;
  /** Rows of which one side has left out the value: only their keys were compared. */
  readonly withoutValue: number;
}

/**
 * The rows that differ, in the order of the column families and keys; the summary is what the generator returns.
 *
 * @example
 * for await (const row of diffRows(rowsOfStore(a), rowsOfStore(b))) console.log(row.difference, row.key);
 */
export async function* diffRows(
  a: RowSource,
  b: RowSource,
  options: DiffOptions = {},
): AsyncGenerator<RowDifference, DiffSummary, undefined> {
  const tally = { a: 0, b: 0, onlyInA: 0, onlyInB: 0, different: 0, honest: 0, withoutValue: 0 };
  const isMeant = rowFilter(options);
  const columns = [...new Set([...a.columns, ...b.columns])];
  for (const column of options.columns ?? columns) {
    const [rowsA, rowsB] = [new Side(a, column), new Side(b, column)];
    for (;;) {
      const rowA = rowsA.ready() ?? (await rowsA.load());
      const rowB = rowsB.ready() ?? (await rowsB.load());
      if (rowA === undefined && rowB === undefined) break;
      const order = rowA === undefined ? 1 : rowB === undefined ? -1 : compareBytes(rowA.key, rowB.key);
      if (order <= 0) rowsA.advance();
      if (order >= 0) rowsB.advance();
      if ((tally.a + tally.b) % PROGRESS === 0) options.onProgress?.(tally.a + tally.b);
      const key = (order <= 0 ? rowA : rowB) as SourceRow;
      if (!isMeant(order <= 0 ? a.schema : b.schema, column, key.key)) continue;
      if (order <= 0) tally.a++;
      if (order >= 0) tally.b++;
      const found = compare(
        column,
        a.schema,
        order <= 0 ? rowA : undefined,
        b.schema,
        order >= 0 ? rowB : undefined,
      );
      if (found === "equal") continue;
      if (found === "without value") {
        tally.withoutValue++;
        continue;
      }
      if (found.difference === "only in a") tally.onlyInA++;
      else if (found.difference === "only in b") tally.onlyInB++;
      else tally.different++;
      if (found.honest !== undefined) tally.honest++;
      yield found;
    }
    await rowsA.close();
    await rowsB.close();
  }
  return tally;
}

/** Rows between two calls of `onProgress`. */
const PROGRESS = 1000;

/** The rows of a column family of one side, one by one without waiting where they are there. */
class Side {
  readonly #chunks: AsyncIterator<readonly SourceRow[]>;
  #rows: readonly SourceRow[] = [];
  #at = 0;

  constructor(source: RowSource, column: string) {
    const none: readonly (readonly SourceRow[])[] = [];
    const chunks = source.columns.includes(column) ? source.rows(column) : none;
    this.#chunks = (async function* () {
      yield* chunks;
    })();
  }

  ready(): SourceRow | undefined {
    return this.#rows[this.#at];
  }

  async load(): Promise<SourceRow | undefined> {
    const { done, value } = await this.#chunks.next();
    this.#rows = done === true ? [] : value;
    this.#at = 0;
    return this.#rows[0];
  }

  advance(): void {
    this.#at++;
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}

function compare(
  column: string,
  schemaA: Schema,
  a: SourceRow | undefined,
  schemaB: Schema,
  b: SourceRow | undefined,
): RowDifference | "equal" | "without value" {
  if (a !== undefined && b !== undefined) {
    if (a.value === undefined || b.value === undefined) return "without value";
    if (equalBytes(a.value, b.value)) return "equal";
  }
  const [plainA, plainB] = [formOf(schemaA, column, a, true), formOf(schemaB, column, b, true)];
  const [shownA, shownB] = [formOf(schemaA, column, a, false), formOf(schemaB, column, b, false)];
  const { kind, key, parts } = (shownA ?? shownB) as RowJson;
  const difference = b === undefined ? "only in a" : a === undefined ? "only in b" : "different";
  const fields =
    difference === "different"
      ? differingFields(contentOf(plainA), contentOf(plainB), { a: contentOf(shownA), b: contentOf(shownB) })
      : undefined;
  const honest = honestDifference({
    kind,
    fields: fields ?? [],
    difference,
    a: plainA?.decoded,
    b: plainB?.decoded,
  });
  return { difference, column, kind, key, parts, ...(fields && { fields }), ...(honest && { honest }) };
}

function formOf(
  schema: Schema,
  column: string,
  row: SourceRow | undefined,
  reveal: boolean,
): RowJson | undefined {
  if (row === undefined) return undefined;
  return rowToJson(
    schema,
    column,
    { key: row.key, value: row.value ?? new Uint8Array(0) },
    { revealSecrets: reveal },
  );
}

/** What of a row is compared field by field: its decoded value, or its bytes. */
function contentOf(form: RowJson | undefined) {
  return form?.decoded ?? form?.value ?? (form === undefined ? undefined : "redacted");
}
