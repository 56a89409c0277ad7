/** The snapshot of every engine that extends the base class. */

import type { ChunkSource, ScanPlan } from "./chunk-source.js";
import type { EngineSnapshot } from "./engine.js";
import { Lifecycle } from "./lifecycle.js";
import { ReaderBase, type Values } from "./reader-base.js";

/** The hooks of an engine that a snapshot needs. */
export interface SnapshotHooks<ReadView> {
  lookUp(column: string, keys: readonly Uint8Array[], view: ReadView): Values | Promise<Values>;
  openScan(column: string, plan: ScanPlan, view: ReadView): ChunkSource | Promise<ChunkSource>;
  failure(error: unknown, doing: string): unknown;
  release(view: ReadView): void | Promise<void>;
}

/** Reads one state, and releases it at `close`. */
export class HeldSnapshot<ReadView> extends ReaderBase<ReadView> implements EngineSnapshot {
  readonly columns: readonly string[];
  override readonly revision: string | undefined;
  readonly #lost: readonly string[];
  readonly #hooks: SnapshotHooks<ReadView>;
  readonly #owner: Lifecycle;
  #held: { readonly view: ReadView } | undefined;

  /**
   * @param of the members that the snapshot copies from its engine
   * @param owner the state of the engine, which closes its snapshots first
   */
  constructor(
    { columns, revision, lost = [] }: Pick<EngineSnapshot, "columns" | "revision" | "lost">,
    view: ReadView,
    hooks: SnapshotHooks<ReadView>,
    owner: Lifecycle,
  ) {
    super(new Lifecycle("snapshot", owner));
    this.columns = columns;
    this.revision = revision;
    this.#lost = lost;
    this.#hooks = hooks;
    this.#owner = owner;
    this.#held = { view };
    owner.own(this);
  }

  override get lost(): readonly string[] {
    return this.#lost;
  }

  close(): Promise<void> {
    return this.life.close(async () => {
      const { view } = this.#held as { readonly view: ReadView };
      this.#held = undefined; // so that a closed snapshot does not keep the state in memory
      try {
        await this.#hooks.release(view);
      } finally {
        this.#owner.disown(this);
      }
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  protected override readView(): ReadView {
    return (this.#held as { readonly view: ReadView }).view;
  }

  protected override lookUp(
    column: string,
    keys: readonly Uint8Array[],
    view: ReadView,
  ): Values | Promise<Values> {
    return this.#hooks.lookUp(column, keys, view);
  }

  protected override openScan(
    column: string,
    plan: ScanPlan,
    view: ReadView,
  ): ChunkSource | Promise<ChunkSource> {
    return this.#hooks.openScan(column, plan, view);
  }

  protected override failure(error: unknown, doing: string): unknown {
    return this.#hooks.failure(error, doing);
  }
}
