/** An engine that keeps its rows in memory: for tests, for trying things out, and as the reference of the contract. */

import { copyBytes } from "../../bytes/bytes.js";
import {
  checkNewColumns,
  checkOperation,
  checkRange,
  checkWrite,
  isEmptyRange,
  unknownColumn,
} from "../../engine/arguments.js";
import type {
  ByteRange,
  Capabilities,
  Engine,
  EngineSnapshot,
  WriteOperation,
  WriteOptions,
} from "../../engine/engine.js";
import { Lifecycle } from "../../engine/lifecycle.js";
import { checkOptions } from "../../options.js";
import { MemoryReader, type MemoryState } from "./memory-reader.js";
import { SortedTable } from "./sorted-table.js";

/** What {@link openMemoryEngine} needs. */
export interface MemoryEngineOptions {
  /** Names of the column families. `default` is always there, as in RocksDB. */
  readonly columns: readonly string[];
}

/**
 * An empty engine in memory. Its rows are gone when it is closed. A snapshot costs nothing.
 *
 * @throws MerostoreError INVALID_ARGUMENT for a column family that has no name or is named twice
 * @example
 *     await using engine = openMemoryEngine({ columns: ["Meta"] });
 *     await engine.write([{ type: "put", column: "Meta", key, value }]);
 */
export function openMemoryEngine(options: MemoryEngineOptions): Engine {
  checkOptions("openMemoryEngine", options, { columns: () => undefined });
  const columns = checkNewColumns(options?.columns);
  return new MemoryEngine(columns, emptyState(columns), () => undefined);
}

/** Column families without rows. */
export function emptyState(columns: readonly string[]): MemoryState {
  return new Map(columns.map((column) => [column, SortedTable.EMPTY]));
}

export class MemoryEngine extends MemoryReader implements Engine {
  readonly capabilities: Capabilities = {
    engine: "memory",
    writable: true,
    persistent: false,
    syncedWrites: false,
  };
  readonly warnings: readonly string[] = [];
  #state: MemoryState;
  readonly #leave: (state: MemoryState) => void;

  /** @param leave called with the rows when it is closed */
  constructor(columns: readonly string[], state: MemoryState, leave: (state: MemoryState) => void) {
    super(columns, new Lifecycle("engine"));
    this.#state = state;
    this.#leave = leave;
  }

  protected override state(): MemoryState {
    return this.#state;
  }

  async write(operations: readonly WriteOperation[], options?: WriteOptions): Promise<void> {
    this.life.check();
    checkWrite(operations, options);
    const byColumn = new Map<string, WriteOperation[]>();
    for (const operation of operations) {
      checkOperation(operation);
      if (!this.#state.has(operation.column)) throw unknownColumn(operation.column, this.columns);
      const sameColumn = byColumn.get(operation.column);
      if (sameColumn === undefined) byColumn.set(operation.column, [operation]);
      else sameColumn.push(operation);
    }
    const next = new Map(this.#state);
    for (const [column, list] of byColumn) next.set(column, changed(next.get(column) as SortedTable, list));
    this.#state = next;
  }

  async snapshot(): Promise<EngineSnapshot> {
    this.life.check();
    return new MemorySnapshot(this.columns, this.#state, this.life);
  }

  async approximateSize(column: string, range?: ByteRange): Promise<number> {
    this.life.check();
    if (!this.#state.has(column)) throw unknownColumn(column, this.columns);
    checkRange(range);
    return 0;
  }

  async flush(): Promise<void> {
    this.life.check();
  }

  close(): Promise<void> {
    return this.life.close(async () => {
      this.#leave(this.#state);
      this.#state = new Map();
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

class MemorySnapshot extends MemoryReader implements EngineSnapshot {
  readonly #owner: Lifecycle;
  #state: MemoryState;

  constructor(columns: readonly string[], state: MemoryState, owner: Lifecycle) {
    super(columns, new Lifecycle("snapshot"));
    this.#state = state;
    this.#owner = owner;
    owner.own(this);
  }

  protected override state(): MemoryState {
    return this.#state;
  }

  close(): Promise<void> {
    return this.life.close(async () => {
      this.#state = new Map();
      this.#owner.disown(this);
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** A table after operations, in their order. Keys and values are copied: callers may reuse their arrays. */
function changed(table: SortedTable, operations: readonly WriteOperation[]): SortedTable {
  return table.edit((edit) => {
    for (const operation of operations) {
      if (operation.type === "put") edit.put(copyBytes(operation.key), copyBytes(operation.value));
      else if (operation.type === "delete") edit.delete(operation.key);
      else if (!isEmptyRange(operation)) edit.deleteRange(operation.from, operation.to);
    }
  });
}
