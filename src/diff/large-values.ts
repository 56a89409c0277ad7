/**
 * Comparison of values that are too large for a comparison by field: their JSON forms would take several times their
 * memory.
 */
import { sharedLength } from "../bytes/order.js";
import type { PrivateEntities, Schema } from "../schemas/index.js";
import type { FieldDifference } from "./fields.js";

/** The size in bytes up to which the fields of a value are compared. */
export const MOST_BYTES = 4 * 1024 * 1024;

/** A row with its value, and the schema that decodes it. */
interface LargeRow {
  readonly schema: Schema;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/**
 * Describes the difference of two rows without their content: the sizes and the first byte that differs, or `redacted`
 * for a row that may hold a secret.
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
  const differsAt = sharedLength(a.value, 0, a.value.length, b.value, 0);
  return {
    path: "",
    a: { size: a.value.length, differsAt },
    b: { size: b.value.length, differsAt },
  };
}
