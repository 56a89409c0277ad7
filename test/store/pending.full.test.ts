/** Changes over a base keep the reading contract, and read no more of the base than a scan needs. */
import { describe, expect, it } from "vitest";
import { keyAfter } from "../../src/bytes/order.js";
import { readerConformance } from "../../src/engine/conformance/index.js";
import type { EngineReader, ScanOptions, WriteOperation } from "../../src/engine/engine.js";
import { RowScan } from "../../src/engine/scan.js";
import { openMemoryEngine } from "../../src/engines/index.js";
import { PendingReader } from "../../src/store/pending.js";
import { listOf } from "../support/lists.js";

type Put = WriteOperation & { type: "put" };

/** Opens a view of changes over an engine in memory; closing the view closes the engine. */
async function open(
  columns: readonly string[],
  stored: readonly WriteOperation[],
  changes: readonly WriteOperation[],
) {
  const engine = openMemoryEngine({ columns });
  await engine.write(stored);
  const pending = new PendingReader(engine);
  for (const change of changes) pending.add(change);
  return Object.assign(pending, { close: () => engine.close() });
}

/** More rows for the base: one behind each row of the operations. */
function others(operations: readonly Put[]): Put[] {
  return operations.map((put) => ({ ...put, key: keyAfter(Uint8Array.of(...put.key, 0x77, 0x77)) }));
}

readerConformance(
  "changes over nothing",
  { open: (columns, puts) => open(columns, [], puts) },
  { describe, it },
);
readerConformance(
  "no changes over an engine",
  { open: (columns, puts) => open(columns, puts, []) },
  { describe, it },
);
readerConformance(
  "changes over an engine with other rows and values",
  {
    open(columns, operations) {
      const puts = operations as readonly Put[];
      const isWrong = (at: number) => at % 3 === 0;
      const stored = puts.map((put, at) => (isWrong(at) ? { ...put, value: Uint8Array.of(1, 2) } : put));
      const undone = others(puts).map(({ column, key }, at): WriteOperation => {
        return at < 50
          ? { type: "deleteRange", column, gte: key, lt: keyAfter(key) }
          : { type: "delete", column, key };
      });
      return open(columns, [...stored, ...others(puts)], [...undone, ...puts.filter((_, at) => isWrong(at))]);
    },
  },
  { describe, it },
);

describe("changes over an engine", () => {
  const rows = Array.from(
    { length: 3000 },
    (_, at): Put => ({
      type: "put",
      column: "a",
      key: Uint8Array.of(at >> 8, at),
      value: Uint8Array.of(at & 0xff),
    }),
  );
  const keyOf = (at: number) => (rows[at] as Put).key;

  /** The changes over all rows, and a count of the rows that were read from these since. */
  async function counted(changes: readonly WriteOperation[]) {
    const engine = openMemoryEngine({ columns: ["a"] });
    await engine.write(rows);
    const read = { rows: 0 };
    const base: EngineReader = {
      columns: engine.columns,
      get: (column, key) => engine.get(column, key),
      getMany: (column, keys) => engine.getMany(column, keys),
      scan(column, range, options) {
        const chunks = async function* (keysOnly: boolean) {
          for await (const chunk of engine.scan(column, range, { ...options, keysOnly }).chunks()) {
            read.rows += chunk.length;
            yield chunk;
          }
        };
        return new RowScan(chunks, () => undefined);
      },
    };
    const pending = new PendingReader(base);
    for (const change of changes) pending.add(change);
    const keys = async (options: ScanOptions) => {
      read.rows = 0;
      return (await listOf(pending.scan("a", {}, options))).map(({ key }) => key);
    };
    return { keys, read, pending };
  }

  it("read one row of the base for one row", async () => {
    const { keys, read } = await counted([{ ...(rows[5] as Put), value: Uint8Array.of(9) }]);
    expect(await keys({ limit: 1, reverse: true })).toEqual([keyOf(2999)]);
    expect(read.rows).toBe(1);
    expect(await keys({ limit: 10 })).toEqual(rows.slice(0, 10).map(({ key }) => key));
    expect(read.rows).toBe(10);
  });

  it("read one more row for each deleted row", async () => {
    const { keys, read } = await counted(
      [2999, 2998, 0].map((at) => ({ type: "delete", column: "a", key: keyOf(at) })),
    );
    expect(await keys({ limit: 2, reverse: true })).toEqual([keyOf(2997), keyOf(2996)]);
    expect(read.rows).toBe(5);
  });

  it("skip deleted ranges", async () => {
    const range = (from: number, to: number): WriteOperation => ({
      type: "deleteRange",
      column: "a",
      gte: keyOf(from),
      lt: keyOf(to),
    });
    const first: WriteOperation = { ...range(0, 500), gte: new Uint8Array(0) } as WriteOperation;
    const { keys, read } = await counted([range(1000, 2999), range(500, 900), first, range(902, 990)]);
    expect(await keys({ limit: 1 })).toEqual([keyOf(900)]);
    expect(read.rows).toBe(1);
    expect(await keys({ limit: 3 })).toEqual([900, 901, 990].map(keyOf));
    expect(read.rows).toBeLessThan(20);
    expect(await keys({ limit: 3, reverse: true })).toEqual([2999, 999, 998].map(keyOf));
    expect(read.rows).toBeLessThan(20);
    expect(await keys({})).toEqual(
      [900, 901, 990, 991, 992, 993, 994, 995, 996, 997, 998, 999, 2999].map(keyOf),
    );
  });

  it("read nothing if everything is deleted", async () => {
    const { keys, read, pending } = await counted([
      { type: "deleteRange", column: "a", gte: new Uint8Array(0), lt: Uint8Array.of(0xff) },
    ]);
    expect(await keys({ limit: 1 })).toEqual([]);
    expect(read.rows).toBe(0);
    pending.add({ type: "deleteRange", column: "a", gte: undefined, lt: undefined });
    expect(await keys({ limit: 1, reverse: true })).toEqual([]);
    expect(read.rows).toBe(0);
  });
});
