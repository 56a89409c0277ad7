/** The rows that are written to a database while it is open. */
import { type Change, toHex } from "merostore";
import type { Database } from "./database/database.js";

/** A row that was written or deleted, as the page lists it. */
export interface ChangedRow {
  /** Undefined for a row of no known kind. */
  readonly kind: string | undefined;
  readonly column: string;
  /** The key, in hex. */
  readonly key: string;
  /** The parts of the key by name, as text. */
  readonly parts: readonly (readonly [name: string, text: string])[];
  readonly type: "put" | "delete";
  /** True if the row existed before; undefined if unknown. */
  readonly existed: boolean | undefined;
}

/** Changes that came together. */
export interface Changed {
  /** Rows by kind; the empty name for rows of no known kind. */
  readonly kinds: Readonly<Record<string, number>>;
  /** The last rows, at most {@link MOST_ROWS}. */
  readonly rows: readonly ChangedRow[];
  /** True if changes may have been missed: the node deleted its log before it was read. */
  readonly isIncomplete: boolean;
}

/** The most rows of changes that came together that are sent to the page. */
export const MOST_ROWS = 200;
/** Milliseconds between two looks at the files. */
const INTERVAL = 500;

/**
 * Reports all writes from now on. Ends when `onChanged` answers false.
 *
 * @param onChanged gets changes as they come. While none come, it is called without changes every second, so that it
 * can end this
 */
export async function follow(
  database: Database,
  onChanged: (changed: Changed | undefined) => Promise<boolean>,
): Promise<void> {
  const { store } = database;
  const over = new AbortController();
  const ask = async (): Promise<void> => {
    if ((await database.loss()) !== undefined || !(await onChanged(undefined))) over.abort();
  };
  const asking = setInterval(() => void ask(), 1_000);
  try {
    const changes = store.watch({ signal: over.signal, interval: INTERVAL, existed: true });
    for await (const chunk of changes.chunks()) if (!(await onChanged(changedOf(chunk)))) return;
    await throwIfLost(database);
  } catch (error) {
    // The files of another database do not match the earlier reads, and look damaged.
    await throwIfLost(database);
    throw error;
  } finally {
    clearInterval(asking);
  }
}

async function throwIfLost(database: Database): Promise<void> {
  const loss = await database.loss();
  if (loss === "gone") throw new Error("Its files are gone.");
  if (loss === "replaced") throw new Error("Another database is in its place now: open that one to see it.");
}

function changedOf(changes: readonly Change[]): Changed {
  const kinds: Record<string, number> = {};
  const rows: ChangedRow[] = [];
  let isIncomplete = false;
  for (const change of changes) {
    if (change.type === "rescan" || change.type === "deleteRange") {
      isIncomplete ||= change.type === "rescan" && !change.compared;
      continue;
    }
    const kind = change.kind ?? "";
    kinds[kind] = (kinds[kind] ?? 0) + 1;
    rows.push({
      kind: change.kind,
      column: change.column,
      type: change.type,
      existed: change.existed,
      ...keyOf(change.key),
    });
  }
  return { kinds, rows: rows.slice(-MOST_ROWS), isIncomplete };
}

function keyOf(
  key: Uint8Array | { readonly bytes: Uint8Array; toJSON(): unknown },
): Pick<ChangedRow, "key" | "parts"> {
  if (key instanceof Uint8Array) return { key: toHex(key), parts: [] };
  const parts = Object.entries(key.toJSON() as Record<string, unknown>);
  return { key: toHex(key.bytes), parts: parts.map(([name, value]) => [name, String(value)]) };
}
