import { append } from "../collections/lists.js";
import { contains } from "../engine/arguments.js";
import type {
  ChangeBatch,
  DeleteRangeOperation,
  Engine,
  EngineSnapshot,
  WriteOperation,
} from "../engine/engine.js";
import { textOf } from "./column-changes.js";

/** After this many changes since a snapshot, about 30 MB, a newer snapshot is taken. */
const MOST_CHANGES = 200_000;
/** The most deleted ranges in memory: each key is compared with all of them. */
const MOST_RANGES = 1_000;

/** The state of a row before an operation. */
export interface RowBefore {
  /** True if the row existed; undefined if that is not known. */
  readonly existed: boolean | undefined;
  /** The bytes of its value; undefined if there was no row, or if they are not known. */
  readonly before?: Uint8Array | undefined;
}

/** The changes since a snapshot. Changes of rows and deleted ranges have numbers, so that the later one counts. */
class RecentChanges {
  size = 0;
  readonly ranges: (DeleteRangeOperation & { readonly at: number })[] = [];
  /** The number of the last change of each key, by column family; negative for a deletion. */
  readonly #rows = new Map<string, Map<string, number>>();
  #count = 0;

  add(operation: WriteOperation): void {
    const at = ++this.#count;
    if (operation.type === "deleteRange") {
      this.ranges.push({ ...operation, at });
      return;
    }
    const rows = this.#rows.get(operation.column) ?? new Map<string, number>();
    this.#rows.set(operation.column, rows);
    const before = rows.size;
    rows.set(textOf(operation.key), operation.type === "put" ? at : -at);
    this.size += rows.size - before;
  }

  /** Returns whether a row exists; undefined if no change was about it. */
  has(column: string, key: Uint8Array): boolean | undefined {
    const changed = this.#rows.get(column)?.get(textOf(key));
    if (changed !== undefined && changed < 0) return false;
    const least = changed ?? 0;
    for (const range of this.ranges)
      if (range.at > least && range.column === column && contains(range, key)) return false;
    return changed === undefined ? undefined : true;
  }
}

/**
 * Knows the existing rows while a writer continues: from a snapshot of the database and the changes since. After many
 * changes, a newer snapshot replaces it.
 */
export class KnownRows {
  readonly #engine: Engine;
  #snapshot: EngineSnapshot;
  #changes = new RecentChanges();
  /** A newer snapshot, and the changes since shortly before it. It is used from its sequence number on. */
  #next:
    | { readonly snapshot: EngineSnapshot; readonly sequence: number; readonly changes: RecentChanges }
    | undefined;

  /** Begins with the rows that reads of the engine see now. */
  static async open(engine: Engine): Promise<{ readonly rows: KnownRows; readonly sequence: number }> {
    const { snapshot, sequence } = await pin(engine);
    return { rows: new KnownRows(engine, snapshot), sequence };
  }

  private constructor(engine: Engine, snapshot: EngineSnapshot) {
    this.#engine = engine;
    this.#snapshot = snapshot;
  }

  /**
   * Applies the next batches.
   *
   * @param since the sequence number before the batches
   * @param looksUp whether to look rows up in the database; otherwise only rows with changes since the snapshot are
   *   known
   * @returns for each operation, the state of its row before it
   */
  async apply(batches: readonly ChangeBatch[], since: number, looksUp: boolean): Promise<RowBefore[]> {
    await this.catchUp(since, MOST_CHANGES, MOST_RANGES);
    const existing = looksUp ? await this.#lookUp(batches) : undefined;
    const known: RowBefore[] = [];
    for (const { operations } of batches) {
      for (const operation of operations) {
        const { type, column } = operation;
        if (type === "deleteRange") known.push({ existed: false });
        else {
          const isThere = this.#changes.has(column, operation.key);
          const before =
            isThere === undefined ? existing?.get(`${column}/${textOf(operation.key)}`) : undefined;
          known.push({
            existed: isThere ?? (existing === undefined ? undefined : before !== undefined),
            before,
          });
        }
        this.#changes.add(operation);
        this.#next?.changes.add(operation);
      }
    }
    return known;
  }

  /** A snapshot of the rows after the last batches; undefined until a newer snapshot is taken. */
  get snapshot(): EngineSnapshot | undefined {
    const { size, ranges } = this.#changes;
    return size === 0 && ranges.length === 0 ? this.#snapshot : undefined;
  }

  /** Takes a newer snapshot if there were so many changes of rows or deleted ranges since the last one. */
  async catchUp(since: number, mostChanges = 1, mostRanges = 1): Promise<void> {
    if (this.#next !== undefined && since >= this.#next.sequence) {
      await this.#snapshot.close();
      this.#snapshot = this.#next.snapshot;
      this.#changes = this.#next.changes;
      this.#next = undefined;
    }
    const { size, ranges } = this.#changes;
    if (this.#next !== undefined || (size < mostChanges && ranges.length < mostRanges)) return;
    await this.#engine.refresh?.();
    this.#next = { ...(await pin(this.#engine)), changes: new RecentChanges() };
  }

  async close(): Promise<void> {
    await this.#snapshot.close();
    await this.#next?.snapshot.close();
  }

  /** Looks up the values of the operations' rows in the snapshot. */
  async #lookUp(batches: readonly ChangeBatch[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const keys = new Map<string, Uint8Array[]>();
    for (const { operations } of batches) {
      for (const operation of operations) {
        if (operation.type === "deleteRange") continue;
        const { column, key } = operation;
        if (!this.#snapshot.columns.includes(column) || this.#changes.has(column, key) !== undefined)
          continue;
        append(keys, column, key);
      }
    }
    const existing = new Map<string, Uint8Array>();
    for (const [column, list] of keys) {
      const values = await this.#snapshot.getMany(column, list);
      for (const [at, value] of values.entries())
        if (value !== undefined) existing.set(`${column}/${textOf(list[at] as Uint8Array)}`, value);
    }
    return existing;
  }
}

/** Takes a snapshot, with the sequence number of its last write. */
async function pin(engine: Engine): Promise<{ snapshot: EngineSnapshot; sequence: number }> {
  for (;;) {
    const { sequence = 0 } = engine;
    const snapshot = await engine.snapshot();
    if (engine.sequence === sequence) return { snapshot, sequence };
    await snapshot.close(); // the engine was refreshed meanwhile
  }
}
