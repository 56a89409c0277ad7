/** Reads an engine or a snapshot with uncommitted changes. */
import { copyValue } from "../bytes/undecrypted.js";
import type { ChunkSource, ScanPlan } from "../engine/chunk-source.js";
import type { EngineReader } from "../engine/engine.js";
import { Lifecycle } from "../engine/lifecycle.js";
import { ReaderBase, type Values } from "../engine/reader-base.js";
import { MerostoreError } from "../errors.js";
import { ColumnChanges, type PendingChange } from "./column-changes.js";
import { MergedScan } from "./merged-scan.js";

/** A reader of a base with changes. It is open as long as its base. */
export class PendingReader extends ReaderBase<undefined> {
  readonly #base: EngineReader;
  readonly #columns: Map<string, ColumnChanges>;

  constructor(base: EngineReader, columns = new Map<string, ColumnChanges>()) {
    super(new Lifecycle("overlay"));
    this.#base = base;
    this.#columns = columns;
  }

  get columns(): readonly string[] {
    return this.#base.columns;
  }

  get strict(): EngineReader | undefined {
    const { strict } = this.#base;
    return strict && new PendingReader(strict, this.#columns);
  }

  /** Adds a change after the existing ones. */
  add(change: PendingChange): void {
    const changes = this.#columns.get(change.column) ?? new ColumnChanges();
    this.#columns.set(change.column, changes);
    changes.add(change);
  }

  /**
   * Returns the changes, ranges first: a row that was put into a deleted range was put later.
   *
   * @throws MerostoreError `CLOSED` if the base is closed
   */
  changes(): PendingChange[] {
    this.checkOpen();
    const all: PendingChange[] = [];
    for (const [column, changes] of this.#columns) {
      for (const range of changes.ranges) all.push({ type: "deleteRange", column, ...range });
      for (const { key, value } of changes.sorted())
        all.push(value === undefined ? { type: "delete", column, key } : { type: "put", column, key, value });
    }
    return all;
  }

  clear(): void {
    this.#columns.clear();
  }

  override get isClosed(): boolean {
    return this.#base.isClosed === true;
  }

  protected override checkOpen(): void {
    if (this.isClosed) throw new MerostoreError("CLOSED", "the database or snapshot is closed");
  }

  /** No state to return: each read takes the changes at its beginning, before a commit can empty them. */
  protected override readView(): undefined {
    return undefined;
  }

  protected override async lookUp(column: string, keys: readonly Uint8Array[]): Promise<Values> {
    const changes = this.#columns.get(column);
    if (changes === undefined) return this.#base.getMany(column, keys);
    const changed = keys.map((key) => changes.get(key));
    const stored = await this.#base.getMany(
      column,
      keys.filter((_, at) => changed[at] === undefined),
    );
    let next = 0;
    return changed.map((change) =>
      change === undefined ? stored[next++] : change.value && copyValue(change.value),
    );
  }

  protected override openScan(column: string, plan: ScanPlan): Promise<ChunkSource> {
    return MergedScan.open(this.#base, column, plan, this.#columns.get(column));
  }
}
