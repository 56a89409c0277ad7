import {
  type Capabilities,
  type ChunkSource,
  EngineBase,
  type RawRow,
  type ScanPlan,
  type WriteOperation,
} from "../../src/engines/index.js";

/** Column families by name; their rows by the key as hexadecimal text, which sorts as the bytes do. */
type State = ReadonlyMap<string, ReadonlyMap<string, RawRow>>;

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

export class MapEngine extends EngineBase<State> {
  readonly capabilities: Capabilities = {
    engine: "map",
    writable: true,
    persistent: false,
    syncedWrites: false,
  };
  readonly warnings = [];
  readonly columns: readonly string[];
  #state: State;

  constructor(columns: readonly string[]) {
    super();
    this.columns = ["default", ...columns];
    this.#state = new Map(this.columns.map((column) => [column, new Map()]));
  }

  /** The state that reads, scans and snapshots that begin now will see. It never changes: writing replaces it. */
  protected override readView(): State {
    return this.#state;
  }

  protected override lookUp(column: string, keys: readonly Uint8Array[], state: State) {
    const found = keys.map((key) => state.get(column)?.get(hex(key))?.value);
    return found.map((value) => value && Uint8Array.from(value));
  }

  protected override openScan(column: string, plan: ScanPlan, state: State): ChunkSource {
    const { gte: from, lt: to, reverse, keysOnly } = plan;
    const rows = [...(state.get(column) ?? [])]
      .filter(([key]) => (from === undefined || key >= hex(from)) && (to === undefined || key < hex(to)))
      .sort(([a], [b]) => (a < b === reverse ? 1 : -1))
      .map(([, { key, value }]) => ({
        key: Uint8Array.from(key),
        value: Uint8Array.from(keysOnly ? [] : value),
      }));
    return { next: (most) => (rows.length === 0 ? undefined : rows.splice(0, most)) };
  }

  protected override apply(operations: readonly WriteOperation[]): void {
    const next = new Map([...this.#state].map(([column, rows]) => [column, new Map(rows)]));
    for (const operation of operations) {
      const rows = next.get(operation.column) ?? new Map<string, RawRow>();
      if (operation.type === "put") {
        const { key, value } = operation;
        rows.set(hex(key), { key: Uint8Array.from(key), value: Uint8Array.from(value) });
      } else if (operation.type === "delete") rows.delete(hex(operation.key));
      else {
        const [from, to] = [hex(operation.gte), hex(operation.lt)];
        for (const key of rows.keys()) if (key >= from && key < to) rows.delete(key);
      }
    }
    this.#state = next;
  }
}
