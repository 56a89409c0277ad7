/** Which column family the rows of a damaged database belong to. */

import type { RawRow } from "../../../engine/engine.js";

/** What is known of the column families. */
export interface FamilyHints {
  /** Names by id, from the MANIFEST and from tables. */
  readonly known: ReadonlyMap<number, string>;
  /** The families of the OPTIONS file, in the order of their ids, which are ascending and may have gaps. */
  readonly options: readonly string[] | undefined;
  /** Some rows of a family, by its id, from the logs. */
  readonly rows: (id: number) => readonly RawRow[];
  /** Whether rows are of a family, as far as is known; undefined where nobody knows. */
  readonly fits: ((column: string, rows: readonly RawRow[]) => boolean) | undefined;
}

/** The name of a family of which nothing but its id is known. */
export function nameById(id: number): string {
  return `unknown-${id}`;
}

/** The name of a family that is known only from a table, which does not name it. */
export function nameByTable(number: number): string {
  return `unknown-table-${number}`;
}

/**
 * The name of a family that neither the MANIFEST nor a table names; undefined if nothing tells. Ids follow the order of the
 * OPTIONS file. Between two families that are known, with as many ids as names between them, the order decides; elsewhere
 * a family may have been dropped, and the rows must fit.
 */
export function nameOfFamily(id: number, { known, options, rows, fits }: FamilyHints): string | undefined {
  const name = known.get(id);
  if (name !== undefined || options === undefined) return name;
  const places = Array.from(known, ([one, column]) => ({ id: one, at: options.indexOf(column) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.id - b.id);
  const before = places.findLast((one) => one.id < id);
  const after = places.find((one) => one.id > id);
  if (before === undefined) return undefined;
  const found = options[before.at + id - before.id];
  if (found === undefined || [...known.values()].includes(found)) return undefined;
  if (after !== undefined && after.id - before.id === after.at - before.at) return found;
  const sample = rows(id);
  return sample.length > 0 && fits?.(found, sample) === true ? found : undefined;
}
