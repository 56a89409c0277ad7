/** The snapshot of every engine that is built on the base class. */

import type { ChunkSource, ScanPlan } from "./chunk-source.js";
import type { EngineSnapshot } from "./engine.js";
import { Lifecycle } from "./lifecycle.js";
import { ReaderBase, type Values } from "./reader-base.js";

/** The hooks of an engine that a snapshot needs. */
export interface SnapshotHooks<Moment> {
  lookUp(column: string, keys: readonly Uint8Array[], moment: Moment): Values | Promise<Values>;
  openScan(column: string, plan: ScanPlan, moment: Moment): ChunkSource | Promise<ChunkSource>;
  failure(error: unknown, doing: string): unknown;
  release(moment: Moment): void | Promise<void>;
}

/** Reads one state, and releases it when it is closed. */
export class HeldSnapshot<Moment> extends ReaderBase<Moment> implements EngineSnapshot {
  readonly columns: readonly string[];
  override readonly revision: string | undefined;
  readonly #hooks: SnapshotHooks<Moment>;
  readonly #owner: Lifecycle;
  #held: { readonly moment: Moment } | undefined;

  /**
   * @param of what the snapshot has of its engine
   * @param owner the life of the engine, which closes its snapshots first
   */
  constructor(
    { columns, revision }: Pick<EngineSnapshot, "columns" | "revision">,
    moment: Moment,
    hooks: SnapshotHooks<Moment>,
    owner: Lifecycle,
  ) {
    super(new Lifecycle("snapshot", owner));
    this.columns = columns;
    this.revision = revision;
    this.#hooks = hooks;
    this.#owner = owner;
    this.#held = { moment };
    owner.own(this);
  }

  close(): Promise<void> {
    return this.life.close(async () => {
      const { moment } = this.#held as { readonly moment: Moment };
      this.#held = undefined; // a closed snapshot keeps nothing else in memory
      try {
        await this.#hooks.release(moment);
      } finally {
        this.#owner.disown(this);
      }
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  protected override moment(): Moment {
    return (this.#held as { readonly moment: Moment }).moment;
  }

  protected override lookUp(
    column: string,
    keys: readonly Uint8Array[],
    moment: Moment,
  ): Values | Promise<Values> {
    return this.#hooks.lookUp(column, keys, moment);
  }

  protected override openScan(
    column: string,
    plan: ScanPlan,
    moment: Moment,
  ): ChunkSource | Promise<ChunkSource> {
    return this.#hooks.openScan(column, plan, moment);
  }

  protected override failure(error: unknown, doing: string): unknown {
    return this.#hooks.failure(error, doing);
  }
}
