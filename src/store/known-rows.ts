import type { ChangeBatch, Engine, EngineSnapshot, WriteOperation } from "../engine/engine.js";
import { contains, textOf } from "./column-changes.js";

/** After this many changes since a snapshot, a newer one is taken: about 30 MB. */
const MOST_CHANGES = 200_000;
/** The number of deleted ranges that are kept: each key is compared with them. */
const MOST_RANGES = 1_000;

/** The row of an operation before it. */
export interface RowBefore {
  /** True if it was there; undefined where that is not known. */
  readonly existed: boolean | undefined;
  /** The bytes of its value; undefined where they are not known, and without such a row. */
  readonly before?: Uint8Array | undefined;
}

/** A change of a row that exists or not; deleted ranges have a number too, so that the later of two counts. */
class RecentChanges {
  size = 0;
  readonly ranges: {
    readonly column: string;
    readonly gte: Uint8Array;
    readonly lt: Uint8Array;
    readonly at: number;
  }[] = [];
  /** For each column family and key the number of its last change, negative for a deletion. */
  readonly #rows = new Map<string, Map<string, number>>();
  #count = 0;

  add(operation: WriteOperation): void {
    const at = ++this.#count;
    if (operation.type === "deleteRange") {
      this.ranges.push({ ...operation, at });
      return;
    }
    let rows = this.#rows.get(operation.column);
    if (rows === undefined) {
      rows = new Map();
      this.#rows.set(operation.column, rows);
    }
    const before = rows.size;
    rows.set(textOf(operation.key), operation.type === "put" ? at : -at);
    this.size += rows.size - before;
  }

  /** Returns whether there is such a row; undefined where nothing of it was changed. */
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
 * The rows that exist, while a writer goes on: a snapshot of the database and what was changed since. When that is
 * much, a newer snapshot takes its place.
 */
export class KnownRows {
  readonly #engine: Engine;
  #snapshot: EngineSnapshot;
  #changes = new RecentChanges();
  /** A newer snapshot, and what was changed since shortly before it; used from that sequence number on. */
  #next:
    | { readonly snapshot: EngineSnapshot; readonly sequence: number; readonly changes: RecentChanges }
    | undefined;

  /** Knows the rows that reads of the engine see now. */
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
   * @param looksUp whether to look into the database; else only rows that were changed since the snapshot are known
   * @returns for each operation its row before it
   */
  async apply(batches: readonly ChangeBatch[], since: number, looksUp: boolean): Promise<RowBefore[]> {
    await this.#renew(since);
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

  /** The rows as they were after the last batches; undefined while a newer snapshot is not there yet. */
  get snapshot(): EngineSnapshot | undefined {
    const { size, ranges } = this.#changes;
    return size === 0 && ranges.length === 0 ? this.#snapshot : undefined;
  }

  /** Takes a newer snapshot if something was changed since the last one. */
  async catchUp(since: number): Promise<void> {
    await this.#renew(since, 1, 1);
  }

  async close(): Promise<void> {
    await this.#snapshot.close();
    await this.#next?.snapshot.close();
  }

  /** The values of the snapshot's rows that the operations are about. */
  async #lookUp(batches: readonly ChangeBatch[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const keys = new Map<string, Uint8Array[]>();
    for (const { operations } of batches) {
      for (const operation of operations) {
        if (operation.type === "deleteRange") continue;
        const { column, key } = operation;
        if (!this.#snapshot.columns.includes(column) || this.#changes.has(column, key) !== undefined)
          continue;
        const list = keys.get(column);
        if (list === undefined) keys.set(column, [key]);
        else list.push(key);
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

  async #renew(since: number, mostChanges = MOST_CHANGES, mostRanges = MOST_RANGES): Promise<void> {
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
}

/** A snapshot, and the sequence number of the last write in it. */
async function pin(engine: Engine): Promise<{ snapshot: EngineSnapshot; sequence: number }> {
  for (;;) {
    const { sequence = 0 } = engine;
    const snapshot = await engine.snapshot();
    if (engine.sequence === sequence) return { snapshot, sequence };
    await snapshot.close(); // refreshed meanwhile
  }
}
