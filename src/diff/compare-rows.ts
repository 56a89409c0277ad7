/** Comparison of two rows with the same key: the fields that differ, and whether the difference is benign. */

import { equalBytes } from "../bytes/order.js";
import type { Json } from "../codec/index.js";
import {
  type PrivateEntities,
  type RowJson,
  type RowJsonOptions,
  rowToJson,
  type Schema,
} from "../schemas/index.js";
import { benignReason } from "./benign.js";
import { isUndecodedState } from "./context-facts.js";
import { differingFields, type FieldDifference } from "./fields.js";
import { largeDifference, MOST_BYTES } from "./large-values.js";
import type { SourceRow } from "./row-source.js";

/** A row that differs between the two sides. It contains no secret. */
export interface RowDifference {
  /** The side that has the row; `different` if both have it with different values. */
  readonly difference: "only in a" | "only in b" | "different";
  /** Name of the column family. */
  readonly column: string;
  /** The kind of the row: `GroupMember`; null if neither schema has a kind with this key. */
  readonly kind: string | null;
  /** In hex. */
  readonly key: string;
  /** The parts of the key in their JSON form; null if `kind` is null. */
  readonly parts: RowJson["parts"];
  /**
   * The differing fields of a row that both sides have. If a value has more than 4 MiB, the only field is the value
   * itself, and each side is `{ size, differsAt }`: the size of the value in bytes, and the offset of the first
   * difference.
   */
  readonly fields?: readonly FieldDifference[];
  /** The number of further fields that differ: `fields` has at most 50. Absent if it has all. */
  readonly moreFields?: number;
  /** The reason why two correct nodes may have this difference; absent if they should not. */
  readonly benign?: string;
  /** The sides whose value does not decode; absent without such sides. */
  readonly undecoded?: readonly ("a" | "b")[];
}

/** Compares the rows of both sides at a key. At least one side has a row. */
export function compareRows(
  a: SourceRow | undefined,
  b: SourceRow | undefined,
): RowDifference["difference"] | "equal" | "without value" {
  if (a === undefined) return "only in b";
  if (b === undefined) return "only in a";
  if (a.value === undefined || b.value === undefined) return "without value";
  return equalBytes(a.value, b.value) ? "equal" : "different";
}

/** A row of both sides, and the schema of each side. */
export interface Sides {
  readonly column: string;
  readonly a: SourceRow | undefined;
  readonly schemaA: Schema;
  readonly b: SourceRow | undefined;
  readonly schemaB: Schema;
}

/** Describes the difference of two rows. The private entities of either side are secret on both. */
export function describeDifference(
  difference: RowDifference["difference"],
  sides: Sides,
  privateEntities: PrivateEntities | undefined,
): RowDifference {
  const { column, a, schemaA, b, schemaB } = sides;
  if (a === undefined || b === undefined) {
    const [schema, row] = a === undefined ? [schemaB, b] : [schemaA, a];
    const name = keyForm(schema, column, row as SourceRow);
    const form = formToJudge(schema, column, name.kind, row as SourceRow);
    const benign = benignReason({ kind: name.kind, a: form?.decoded });
    const undecoded = undecodedIn(sides, a === undefined ? [undefined, form] : [form, undefined]);
    return { difference, ...name, ...(benign && { benign }), ...undecoded };
  }
  const { value: valueA = NO_BYTES } = a;
  const { value: valueB = NO_BYTES } = b;
  if (Math.max(valueA.length, valueB.length) > MOST_BYTES) {
    const name = keyForm(schemaA, column, a);
    const sideA = { schema: schemaA, key: a.key, value: valueA };
    const sideB = { schema: schemaB, key: b.key, value: valueB };
    const fields = [largeDifference(column, sideA, sideB, privateEntities)];
    const benign = benignReason({ kind: name.kind, fields });
    return { difference, ...name, fields, ...(benign && { benign }) };
  }
  const reveal = { revealSecrets: true };
  const [plainA, plainB] = [formOf(schemaA, column, a, reveal), formOf(schemaB, column, b, reveal)];
  const hide = { privateEntities };
  const [shownA, shownB] = [formOf(schemaA, column, a, hide), formOf(schemaB, column, b, hide)];
  const shown = { a: contentOf(shownA), b: contentOf(shownB) };
  const { fields, more } = differingFields(contentOf(plainA), contentOf(plainB), shown);
  // The bytes differ, but a node reads the same value from them.
  if (fields.length === 0) fields.push({ path: "", a: bytesOf(shownA), b: bytesOf(shownB) });
  const { kind } = shownA;
  // Correct nodes write no row that does not decode.
  const isRead = plainA.error === undefined && plainB.error === undefined;
  const benign = isRead && benignReason({ kind, fields, a: plainA.decoded, b: plainB.decoded });
  return {
    difference,
    ...nameOf(shownA),
    fields,
    ...(more > 0 && { moreFields: more }),
    ...(benign && { benign }),
    ...undecodedIn(sides, [plainA, plainB]),
  };
}

/** The sides whose value does not decode. A value that is not decrypted does not count. */
function undecodedIn(
  { column, a, schemaA, b, schemaB }: Sides,
  forms: readonly [a: RowJson | undefined, b: RowJson | undefined],
): Pick<RowDifference, "undecoded"> {
  const isWrong = (schema: Schema, row: SourceRow | undefined, form: RowJson | undefined): boolean =>
    (form?.error !== undefined && form.undecrypted !== true) ||
    (column === "State" && row !== undefined && isUndecodedState(schema, row));
  const wrong = [isWrong(schemaA, a, forms[0]), isWrong(schemaB, b, forms[1])];
  const undecoded = (["a", "b"] as const).filter((_, at) => wrong[at]);
  return undecoded.length === 0 ? {} : { undecoded };
}

/** The JSON form of a row that one side lacks, if its value decides whether this is benign; otherwise undefined. */
function formToJudge(
  schema: Schema,
  column: string,
  kind: string | null,
  row: SourceRow,
): RowJson | undefined {
  if (
    (column !== "State" && kind !== "GroupMetadata") ||
    row.value === undefined ||
    row.value.length > MOST_BYTES
  )
    return undefined;
  return formOf(schema, column, row, { revealSecrets: true });
}

function formOf(schema: Schema, column: string, { key, value }: SourceRow, options: RowJsonOptions): RowJson {
  return rowToJson(schema, column, { key, value: value ?? NO_BYTES }, options);
}

const NO_BYTES = new Uint8Array(0);

/** The name of a row, from its key alone. */
function keyForm(schema: Schema, column: string, { key }: SourceRow): ReturnType<typeof nameOf> {
  return nameOf(formOf(schema, column, { key, value: undefined }, {}));
}

function nameOf({ column, kind, key, parts }: RowJson): Pick<RowJson, "column" | "kind" | "key" | "parts"> {
  return { column, kind, key, parts };
}

/** The content to compare field by field: the decoded value, or the bytes. */
function contentOf(form: RowJson): Json {
  return form.decoded ?? bytesOf(form);
}

function bytesOf({ value = "redacted" }: RowJson): string {
  return value;
}
