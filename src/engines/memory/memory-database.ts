/** Rows in memory that outlive their engines, as files do. */

import { checkNewColumns } from "../../engine/arguments.js";
import type { Engine } from "../../engine/engine.js";
import { MerostoreError } from "../../errors.js";
import { emptyState, MemoryEngine, type MemoryEngineOptions, type MemoryState } from "./memory-engine.js";

/** A database in memory that can be opened, closed and reopened, like a folder for other engines. */
export class MemoryDatabase {
  readonly #columns: readonly string[];
  #state: MemoryState;
  #open = false;

  /** @throws MerostoreError INVALID_ARGUMENT as `openMemoryEngine` */
  constructor(options: MemoryEngineOptions) {
    this.#columns = checkNewColumns(options?.columns);
    this.#state = emptyState(this.#columns);
  }

  /** True if an engine over it is open. */
  get isOpen(): boolean {
    return this.#open;
  }

  /**
   * Opens an engine on the rows that the last engine left.
   *
   * @throws MerostoreError DATABASE_LOCKED while another one is open
   */
  open(): Engine {
    if (this.#open)
      throw new MerostoreError(
        "DATABASE_LOCKED",
        "the database in memory is open already: close it there first",
      );
    this.#open = true;
    return new MemoryEngine(this.#columns, this.#state, (state) => {
      this.#state = state;
      this.#open = false;
    });
  }
}
