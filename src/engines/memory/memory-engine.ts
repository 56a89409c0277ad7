/** An engine that keeps its rows in memory: for tests, for experiments, and as the reference of the contract. */

import { copyBytes } from "../../bytes/bytes.js";
import { append } from "../../collections/lists.js";
import { checkNewColumns } from "../../engine/arguments.js";
import { type ChunkSource, NO_VALUE, type ScanPlan } from "../../engine/chunk-source.js";
import type { Capabilities, Engine, RawRow, WriteOperation } from "../../engine/engine.js";
import { EngineBase } from "../../engine/engine-base.js";
import type { Values } from "../../engine/reader-base.js";
import type { Warning } from "../../errors.js";
import { checkOptions } from "../../options.js";
import { SortedTable } from "./sorted-table.js";

/** Options of {@link openMemoryEngine}. */
export interface MemoryEngineOptions {
  /** Names of the column families. `default` is always there, as in RocksDB. */
  readonly columns: readonly string[];
  /** The engine's `warnings`, for example about missing rows. */
  readonly warnings?: readonly Warning[] | undefined;
}

/**
 * Opens an empty engine in memory. Closing it discards its rows. A snapshot costs nothing.
 *
 * @throws MerostoreError INVALID_ARGUMENT for a column family with an empty name, or one that is listed twice
 * @example
 *     await using engine = openMemoryEngine({ columns: ["Meta"] });
 *     await engine.write([{ type: "put", column: "Meta", key, value }]);
 */
export function openMemoryEngine(options: MemoryEngineOptions): Engine {
  checkOptions("openMemoryEngine", options, {
    columns: () => undefined,
    warnings: (value) => (Array.isArray(value) ? undefined : "a list of warnings"),
  });
  const columns = checkNewColumns(options?.columns);
  return new MemoryEngine(columns, emptyState(columns), () => undefined, options.warnings);
}

/** The rows of all column families at one moment. */
export type MemoryState = ReadonlyMap<string, SortedTable>;

/** Column families without rows. */
export function emptyState(columns: readonly string[]): MemoryState {
  return new Map(columns.map((column) => [column, SortedTable.EMPTY]));
}

/** Reads return copies of rows, so changes to them do not change the store, as with RocksDB. */
export class MemoryEngine extends EngineBase<MemoryState> {
  readonly columns: readonly string[];
  readonly capabilities: Capabilities = {
    engine: "memory",
    writable: true,
    persistent: false,
    syncedWrites: false,
  };
  readonly warnings: readonly Warning[];
  #state: MemoryState;
  readonly #leave: (state: MemoryState) => void;

  /** @param leave called with the rows when it is closed */
  constructor(
    columns: readonly string[],
    state: MemoryState,
    leave: (state: MemoryState) => void,
    warnings: readonly Warning[] = [],
  ) {
    super();
    this.warnings = warnings;
    this.columns = columns;
    this.#state = state;
    this.#leave = leave;
  }

  protected override readView(): MemoryState {
    return this.#state;
  }

  protected override lookUp(column: string, keys: readonly Uint8Array[], state: MemoryState): Values {
    const table = tableOf(state, column);
    return keys.map((key) => {
      const value = table.get(key);
      return value && copyBytes(value);
    });
  }

  protected override openScan(column: string, plan: ScanPlan, state: MemoryState): ChunkSource {
    const rows = tableOf(state, column).rows(plan.gte, plan.lt, plan.reverse);
    return { next: (most) => copiesOf(rows, most, plan.keysOnly) };
  }

  protected override apply(operations: readonly WriteOperation[]): void {
    const byColumn = new Map<string, WriteOperation[]>();
    for (const operation of operations) append(byColumn, operation.column, operation);
    const next = new Map(this.#state);
    for (const [column, list] of byColumn) next.set(column, changed(tableOf(next, column), list));
    this.#state = next;
  }

  protected override shut(): void {
    this.#leave(this.#state);
    this.#state = new Map();
  }
}

function tableOf(state: MemoryState, column: string): SortedTable {
  return state.get(column) as SortedTable;
}

function copiesOf(rows: Iterator<RawRow>, most: number, keysOnly: boolean): RawRow[] | undefined {
  const chunk: RawRow[] = [];
  while (chunk.length < most) {
    const next = rows.next();
    if (next.done === true) break;
    const { key, value } = next.value;
    chunk.push({ key: copyBytes(key), value: keysOnly ? NO_VALUE : copyBytes(value) });
  }
  return chunk.length === 0 ? undefined : chunk;
}

/** Returns a table with the operations applied in their order. */
function changed(table: SortedTable, operations: readonly WriteOperation[]): SortedTable {
  return table.edit((edit) => {
    for (const operation of operations) {
      if (operation.type === "put") edit.put(operation.key, operation.value);
      else if (operation.type === "delete") edit.delete(operation.key);
      else edit.deleteRange(operation.gte, operation.lt);
    }
  });
}
