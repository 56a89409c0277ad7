/** The number of rows, by kind and by context: one scan of everything. */
import { type ColumnCount, countRows, type Progress } from "merostore";
import { atMostEvery } from "../database/at-most-every.js";
import type { Database } from "../database/database.js";

/** The rows of a kind. */
export interface KindCount {
  /** Empty for rows of no known kind. */
  readonly kind: string;
  readonly rows: number;
  readonly bytes: number;
}

/** The rows of a column family. */
export interface FamilyCount {
  readonly column: string;
  /** True if the revision has the column family. */
  readonly known: boolean;
  readonly rows: number;
  readonly bytes: number;
  /** The number of changes that are only in the write-ahead log. */
  readonly unflushed: number;
  readonly kinds: readonly KindCount[];
  /** The reason why other rows cannot be read. */
  readonly error: string | undefined;
}

/** The content of a context. */
export interface ContextCount {
  readonly id: string;
  /** Rows of its state, and the bytes of their keys and values. */
  readonly rows: number;
  readonly bytes: number;
  readonly deltas: number;
}

/** All counts. */
export interface RowCounts {
  readonly families: readonly FamilyCount[];
  readonly contexts: readonly ContextCount[];
}

/** Milliseconds between two messages about the progress. */
const REPORT_EVERY = 150;

/**
 * Counts all rows.
 *
 * @param onProgress gets the number of rows that were read so far
 */
export function rowCounts(
  database: Database,
  onProgress: (rows: number) => void = () => undefined,
): Promise<RowCounts> {
  return database.kept("row counts", () => count(database, onProgress));
}

async function count({ store, damage }: Database, onProgress: (rows: number) => void): Promise<RowCounts> {
  const families: FamilyCount[] = [];
  const contexts = new Map<string, ContextCount>();
  let read = 0;
  const report = atMostEvery(REPORT_EVERY, () => onProgress(read));
  const told = ({ done }: Progress): void => {
    read = done;
    report();
  };
  for await (const family of countRows(store, { onProgress: told })) {
    const { column, known, rows, bytes, unflushed } = family;
    const error = family.error ?? damage.get(column);
    const kinds = [...family.kinds].map(([kind, { rows, bytes }]) => ({ kind, rows, bytes }));
    families.push({ column, known, rows, bytes, unflushed, kinds, error });
    for (const [id, counted] of family.contexts)
      contexts.set(id, added(contexts.get(id) ?? { ...NONE, id }, column, counted));
  }
  return { families, contexts: [...contexts.values()] };
}

const NONE = { rows: 0, bytes: 0, deltas: 0 };

function added(
  sum: ContextCount,
  column: string,
  { rows, bytes }: Pick<ColumnCount, "rows" | "bytes">,
): ContextCount {
  if (column === "State") return { ...sum, rows, bytes };
  return column === "Delta" ? { ...sum, deltas: rows } : sum;
}
