/** The engine that reads a database's files. */

import type { ChunkSource, ScanPlan } from "../../engine/chunk-source.js";
import type { ByteRange, Capabilities, Engine, Unflushed } from "../../engine/engine.js";
import { EngineBase } from "../../engine/engine-base.js";
import type { Values } from "../../engine/reader-base.js";
import { isMerostoreError } from "../../errors.js";
import type { Family } from "./read/family.js";
import type { State } from "./state.js";

/** Opens the database once more, as it is now. */
export type Reopen = () => Promise<State>;

/** Reads the files of a database as they were at the opening, or at the last `refresh`. Nothing is written. */
export interface FilesEngine extends Engine {
  /**
   * Goes over to the state in which the files are now; scans and snapshots that were begun stay with theirs.
   * @throws MerostoreError as at the opening; then the engine stays in its state
   */
  refresh(): Promise<void>;
  /** What is in the write-ahead log only. @throws MerostoreError `UNKNOWN_COLUMN_FAMILY` */
  unflushed(column: string): Promise<Unflushed>;
}

/** The engine on a state of the files; opens the next one by itself. */
export class StateEngine extends EngineBase<State> implements FilesEngine {
  readonly capabilities: Capabilities = {
    engine: "files",
    writable: false,
    persistent: true,
    syncedWrites: false,
  };
  readonly #name: string;
  readonly #reopen: Reopen;
  #state: State;

  /** @param name the database, for messages */
  constructor(name: string, state: State, reopen: Reopen) {
    super();
    this.#name = name;
    this.#state = state;
    this.#reopen = reopen;
  }

  get columns(): readonly string[] {
    return this.#state.columns;
  }

  get warnings(): readonly string[] {
    const { loss } = this.#state;
    return loss === undefined ? [] : [loss.sentence];
  }

  override async refresh(): Promise<void> {
    await this.perform("refreshing", async () => {
      const next = await this.#reopen();
      this.#state.release();
      this.#state = next;
    });
  }

  override async unflushed(column: string): Promise<Unflushed> {
    this.checkOpen();
    this.checkColumn(column);
    const { changes, bytes } = familyOf(this.#state, column).memtable;
    return { entries: changes, bytes };
  }

  /** Keeps the files open until the read is over. */
  protected override moment(): State {
    return this.#state.retain();
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
    const state = this.moment();
    try {
      return await familyOf(state, column).size(range);
    } finally {
      state.release();
    }
  }

  protected override get readOnlyReason(): string {
    return `the engine files only reads, and ${this.#name} was opened with it; pass writable: true to open it for writing`;
  }

  protected override shut(): void {
    this.#state.release();
  }
}

/** @throws MerostoreError DATABASE_DAMAGED when the files of the column family cannot be read */
function familyOf({ families }: State, column: string): Family {
  const family = families.get(column) as NonNullable<ReturnType<typeof families.get>>;
  if (isMerostoreError(family)) throw family;
  return family;
}
