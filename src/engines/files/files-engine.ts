/** The engine that reads a database's files. */

import type { ChunkSource, ScanPlan } from "../../engine/chunk-source.js";
import type { ByteRange, Capabilities, ChangeBatch, Engine, Unflushed } from "../../engine/engine.js";
import { EngineBase } from "../../engine/engine-base.js";
import type { Values } from "../../engine/reader-base.js";
import { invalidArgument, isMerostoreError, type Warning } from "../../errors.js";
import type { FileSet } from "../../lsm/source.js";
import { ChangeCursors } from "./changes.js";
import type { ColumnFamilyReader } from "./read/family.js";
import type { State } from "./state.js";

/** Opens the present state of the database. */
type Reopen = () => Promise<State>;

/** Reads the files of a database as they were at the opening, or at the last `refresh`. Nothing is written. */
export interface FilesEngine extends Engine {
  /**
   * Moves to the present state of the files. Open scans and snapshots keep their state.
   * @throws MerostoreError as at the opening; the engine then keeps its state
   */
  refresh(): Promise<void>;
  /** The content of the write-ahead log only. @throws MerostoreError `UNKNOWN_COLUMN_FAMILY` */
  unflushed(column: string): Promise<Unflushed>;
  /** The sequence number of the last write in the state that reads see. */
  readonly sequence: number;
  /**
   * The writes after a sequence number, from the write-ahead logs.
   * @throws MerostoreError `INVALID_ARGUMENT` for files that cannot change, such as files in a browser; `CHANGES_LOST`,
   *   `DATABASE_DAMAGED`, `FORMAT_UNSUPPORTED`, `ENGINE_FAILED`
   */
  changes(since: number): AsyncGenerator<ChangeBatch, void, undefined>;
}

/** The engine on a state of the files. It opens the next state by itself. */
export class StateEngine extends EngineBase<State> implements FilesEngine {
  readonly capabilities: Capabilities;
  readonly #files: FileSet;
  readonly #changes: ChangeCursors;
  readonly #reopen: Reopen;
  /** The state that reads see. */
  protected state: State;

  constructor(files: FileSet, state: State, reopen: Reopen, writable = false) {
    super();
    this.capabilities = {
      ...{ engine: "files", writable, persistent: true, syncedWrites: writable },
      ...(files.isLive === true && { changes: true }),
    };
    this.#files = files;
    this.#changes = new ChangeCursors(files);
    this.state = state;
    this.#reopen = reopen;
  }

  get columns(): readonly string[] {
    return this.state.columns;
  }

  get warnings(): readonly Warning[] {
    const { loss, missing } = this.state;
    return loss === undefined ? missing : [...missing, { code: "LOG_DAMAGED", message: loss.sentence }];
  }

  override get lost(): readonly string[] {
    return this.state.lost;
  }

  override async refresh(): Promise<void> {
    await this.perform("refreshing", async () => {
      const next = await this.#reopen();
      this.state.release();
      this.state = next;
    });
  }

  get sequence(): number {
    return this.state.sequence;
  }

  /** The newest log stays open between two calls, so a call without new writes reads almost nothing. */
  override changes(since: number): AsyncGenerator<ChangeBatch, void, undefined> {
    this.checkOpen();
    if (this.capabilities.changes !== true)
      throw invalidArgument(
        `the files of ${this.#files.name} stay as they are: there are no changes to wait for`,
      );
    if (!Number.isSafeInteger(since) || since < 0)
      throw invalidArgument("changes takes a sequence number, a whole number from 0");
    return this.#pass(since);
  }

  async *#pass(since: number): AsyncGenerator<ChangeBatch, void, undefined> {
    const doing = "reading changes";
    const cursor = await this.perform(doing, () => this.#changes.begin(since));
    let isWhole = false;
    try {
      for (;;) {
        const batches = await this.perform(doing, () => cursor.next());
        if (batches.length === 0) break;
        yield* batches;
      }
      isWhole = true;
    } finally {
      this.#changes.end(cursor, isWhole);
    }
  }

  override async unflushed(column: string): Promise<Unflushed> {
    this.checkOpen();
    this.checkColumn(column);
    const { changes, changedBytes } = familyOf(this.state, column);
    return { entries: changes, bytes: changedBytes };
  }

  /** Keeps the files open until the read is over. */
  protected override readView(): State {
    return this.state.retain();
  }

  protected override release(state: State): void {
    state.release();
  }

  protected override lookUp(column: string, keys: readonly Uint8Array[], state: State): Promise<Values> {
    return familyOf(state, column).getMany(keys);
  }

  protected override openScan(column: string, plan: ScanPlan, state: State): Promise<ChunkSource> {
    return familyOf(state, column).scan(plan, plan.keysOnly);
  }

  protected override async size(column: string, range: ByteRange): Promise<number> {
    const state = this.readView();
    try {
      return await familyOf(state, column).size(range);
    } finally {
      state.release();
    }
  }

  protected override get readOnlyReason(): string {
    return `the engine files only reads, and ${this.#files.name} was opened with it; pass writable: true to open it for writing`;
  }

  protected override shut(): void | Promise<void> {
    this.#changes.close();
    this.state.release();
  }
}

/** @throws MerostoreError DATABASE_DAMAGED if the files of the column family cannot be read */
export function familyOf({ families }: State, column: string): ColumnFamilyReader {
  const family = families.get(column) as NonNullable<ReturnType<typeof families.get>>;
  if (isMerostoreError(family)) throw family;
  return family;
}
