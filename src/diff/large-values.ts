/** Values that are too large to be compared field by field: their JSON forms would be several times as large in memory. */
import type { PrivateEntities, Schema } from "../schemas/index.js";
import type { FieldDifference } from "./fields.js";

/** Bytes of a value whose fields are compared at most. */
export const MOST_BYTES = 4 * 1024 * 1024;

/** A row with its value, and the schema in which it is read. */
interface LargeRow {
  readonly schema: Schema;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/**
 * The difference of two rows of a column family without their content: the sizes and the first byte that differs, or
 * `redacted` for a row that may hold a secret.
 */
export function largeDifference(
  column: string,
  a: LargeRow,
  b: LargeRow,
  privateEntities: PrivateEntities | undefined,
): FieldDifference {
  const isHidden = [a, b].some(({ schema, key, value }) => {
    const kind = schema.identify(column, key);
    if (kind === undefined || kind.secret(kind.key.view(key))) return true;
    return privateEntities?.in(column, key, value) !== undefined;
  });
  if (isHidden) return { path: "", a: "redacted", b: "redacted" };
  const differsAt = offsetOfDifference(a.value, b.value);
  return {
    path: "",
    a: { size: a.value.length, differsAt },
    b: { size: b.value.length, differsAt },
  };
}

/** The offset of the first byte that differs, or the length of the shorter one. */
function offsetOfDifference(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a[at] === b[at]) at++;
  return at;
}
