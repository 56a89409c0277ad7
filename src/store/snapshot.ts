import type { EngineSnapshot } from "../engine/engine.js";
import type { Schema } from "../schemas/index.js";
import { Overlay, type OverlayTarget } from "./overlay.js";
import { StoreReader } from "./reader.js";

/** A consistent, read-only view over all column families at one moment. Close it soon, because it keeps files open. */
export class Snapshot<S extends Schema = Schema> extends StoreReader<S> implements AsyncDisposable {
  readonly #engine: EngineSnapshot;
  readonly #target: OverlayTarget;

  /** @internal */
  constructor(engine: EngineSnapshot, schema: S, target: OverlayTarget) {
    super(engine, schema);
    this.#engine = engine;
    this.#target = target;
  }

  /**
   * Creates an overlay over this snapshot. Committing writes to the store in its current state; conflicts are not
   * checked.
   */
  overlay(): Overlay<S> {
    return new Overlay(this.raw, this.schema, this.#target);
  }

  /** Ends its scans and releases the files. A second call does nothing. */
  async close(): Promise<void> {
    await this.#engine.close();
  }

  /** Closes the snapshot. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
