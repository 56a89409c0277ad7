/** Schemas of several revisions: the rows of each family in the revision that it shows. */
import { familyName } from "./evidence.js";
import { type AnyRow, Schema } from "./schema.js";

/** Name of such a schema. */
export const MIXED = "mixed";

/** A schema made of rows of these revisions. A family of which `revisionOf` names none of them has no rows. */
export function mixedSchema(
  revisions: readonly Schema<AnyRow>[],
  revisionOf: (row: AnyRow) => string | undefined,
): Schema<AnyRow> {
  const rows = revisions.flatMap(({ name, rows }) => rows.filter((row) => revisionOf(row) === name));
  const order = [...new Set(revisions.toReversed().flatMap(({ columns }) => columns))];
  rows.sort(
    (a, b) => order.indexOf(a.column) - order.indexOf(b.column) || (a.key.PREFIX ?? 0) - (b.key.PREFIX ?? 0),
  );
  return new Schema(MIXED, rows);
}

/** The revision of each family of such a schema, by the family's name: `Meta`, `Group 0x21`. */
export function revisionsByFamily(
  { rows }: Schema,
  revisions: readonly Schema<AnyRow>[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    rows.flatMap((row) => {
      const revision = revisions.find(({ rows }) => rows.includes(row));
      return revision === undefined ? [] : [[nameOfFamily(row), revision.name]];
    }),
  );
}

/** The name of the family that a kind of row belongs to. */
export function nameOfFamily({ column, key }: AnyRow): string {
  return familyName({ column, prefix: key.PREFIX });
}
