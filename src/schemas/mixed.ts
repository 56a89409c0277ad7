/** Schemas of several revisions: each family has the revision that its rows show. */
import { familyName } from "./evidence.js";
import { type AnyRow, Schema } from "./schema.js";

/** The name of a schema of several revisions. */
export const MIXED = "mixed";

/**
 * Creates a schema from rows of several revisions, oldest first. `revisionOf` names the revision of a family; a family
 * without one is omitted. If two families have one kind, the newer revision's family keeps it.
 */
export function mixedSchema(
  revisions: readonly Schema<AnyRow>[],
  revisionOf: (row: AnyRow) => string | undefined,
): Schema<AnyRow> {
  const byKind = new Map<string, AnyRow>();
  for (const { name, rows } of revisions)
    for (const row of rows) if (revisionOf(row) === name) byKind.set(row.kind, row);
  const order = [...new Set(revisions.toReversed().flatMap(({ columns }) => columns))];
  const rows = [...byKind.values()].sort(
    (a, b) => order.indexOf(a.column) - order.indexOf(b.column) || (a.key.PREFIX ?? 0) - (b.key.PREFIX ?? 0),
  );
  return new Schema(MIXED, rows);
}

/** Returns the revision of each family of such a schema by name of the family: `Meta`, `Group 0x21`. */
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

/** Returns the name of the family of a kind of row. */
export function nameOfFamily({ column, key }: AnyRow): string {
  return familyName({ column, prefix: key.PREFIX });
}
