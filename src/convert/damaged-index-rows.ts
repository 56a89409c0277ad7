/**
 * Index rows of core-0.10 that do not decode: only the entities above them distinguish them from the data of entries.
 */
import { ID_BYTES, IdTable } from "../bytes/id-table.js";
import { equalBytes } from "../bytes/order.js";
import { indexStateKey } from "../digests/index.js";
import type { RawRow } from "../engines/index.js";
import { ContextState011 } from "../keys/index.js";
import { EntityIndex010 } from "../payloads/index.js";

/** Counts such rows among the rows of State in the order of their keys. Memory: 44 to 88 bytes for each row of a context. */
export class DamagedIndexRows {
  /** The rows of the contexts that are complete. */
  count = 0;
  #context: Uint8Array | undefined;
  /** State keys of the index rows that the root and its descendants name. */
  #named = new IdTable();
  /** State keys of rows that do not decode as index rows. */
  #others = new IdTable();

  /** Takes the next row. */
  take({ key, value }: RawRow, isIndex: boolean): void {
    const { contextId, stateKey } = ContextState011.view(key);
    if (this.#context === undefined || !equalBytes(this.#context, contextId)) {
      this.finish();
      this.#context = contextId;
      this.#named.add(indexStateKey(contextId));
    }
    if (!isIndex) this.#others.add(stateKey);
    else {
      const { children, deletedAt } = EntityIndex010.decode(value);
      // A deleted entity keeps its list of children, whose rows are gone.
      if (deletedAt === null) for (const { id } of children ?? []) this.#named.add(indexStateKey(id));
    }
  }

  /** Completes the last context. */
  finish(): void {
    const { bytes } = this.#others;
    for (let at = 0; at < bytes.length; at += ID_BYTES) if (this.#named.has(bytes, at)) this.count++;
    this.#named = new IdTable();
    this.#others = new IdTable();
  }
}
