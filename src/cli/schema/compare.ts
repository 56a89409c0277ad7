/** The changes between two revisions: kinds of rows, and layouts of types. */
import type { AnyRow, Schema } from "../../schemas/index.js";
import { prefixText } from "../output/text.js";

/** A family of rows that differs between the revisions. */
export interface RowChange {
  readonly column: string;
  readonly prefix: number | undefined;
  readonly change: "added" | "removed" | "renamed" | "key" | "value" | "key and value";
  readonly before: string;
  readonly after: string;
}

/** A type whose layout differs between the revisions. */
export interface TypeChange {
  readonly type: string;
  /** Absent if the revision has no such type. */
  readonly before?: string;
  readonly after?: string;
}

/** The differing rows, in the order of the newer revision; removed ones first. */
export function rowChanges(before: Schema, after: Schema): RowChange[] {
  const removed = before.rows
    .filter((row) => counterpart(after, row) === undefined)
    .map((row): RowChange => ({ ...familyOf(row), change: "removed", before: describe(row), after: "" }));
  const others = after.rows.flatMap((row): RowChange[] => {
    const old = counterpart(before, row);
    if (old === undefined) return [{ ...familyOf(row), change: "added", before: "", after: describe(row) }];
    const key = keyText(old) !== keyText(row);
    const value = old.value.signature !== row.value.signature || old.value.layout !== row.value.layout;
    if (!key && !value) return [];
    const change = old.kind !== row.kind ? "renamed" : key && value ? "key and value" : key ? "key" : "value";
    return [{ ...familyOf(row), change, before: describe(old), after: describe(row) }];
  });
  return [...removed, ...others];
}

/** The named types that differ, by name. */
export function typeChanges(before: Schema, after: Schema): TypeChange[] {
  const names = [...new Set([...Object.keys(before.types), ...Object.keys(after.types)])].sort();
  return names.flatMap((type): TypeChange[] => {
    const old = before.types[type]?.layout;
    const now = after.types[type]?.layout;
    if (old === now) return [];
    return [{ type, ...(old !== undefined && { before: old }), ...(now !== undefined && { after: now }) }];
  });
}

/** The changes as cells of a table. */
export function rowChangeCells(changes: readonly RowChange[]): string[][] {
  return changes.map(({ column, prefix, change, before, after }) => [
    column,
    prefix === undefined ? "" : prefixText(prefix),
    change,
    before,
    after,
  ]);
}

/** Finds the row of the same family: the same column family and prefix and, if several have these, the same kind. */
function counterpart(schema: Schema, row: AnyRow): AnyRow | undefined {
  const family = schema.rows.filter(
    ({ column, key }) => column === row.column && key.PREFIX === row.key.PREFIX,
  );
  return (
    family.find(({ kind }) => kind === row.kind) ?? (row.key.PREFIX === undefined ? undefined : family[0])
  );
}

function familyOf({ column, key }: AnyRow): Pick<RowChange, "column" | "prefix"> {
  return { column, prefix: key.PREFIX };
}

function keyText({ key }: AnyRow): string {
  return key.FIELDS.map(({ name, type }) => `${name} ${type}`).join(" ‖ ");
}

function describe(row: AnyRow): string {
  const parts = row.key.PARTS.map(({ name }) => name).join(", ");
  return `${row.kind}(${parts}) → ${row.value.signature}`;
}
