/** What the suite asks of an engine's author, and what its files share. */

import type { Engine, RawRow, RawScan, WriteOperation } from "../engine.js";

/** What the suite uses of a test framework; vitest, node:test and Mocha have both. */
export interface TestApi {
  describe(name: string, define: () => void): unknown;
  it(name: string, test: () => Promise<void>): unknown;
}

/** Makes the engines that are tested. */
export interface EngineFactory {
  /** Whether its engines can be written to. Otherwise only reading is tested. */
  readonly writable: boolean;
  /**
   * An engine with these column families (and `default`) that holds what the operations lead to and nothing else.
   * The suite closes it.
   */
  open(columns: readonly string[], operations: readonly WriteOperation[]): Promise<Engine>;
  /** Opens again what an engine held that the suite has closed. Needed when rows outlive `close`. */
  reopen?(closed: Engine): Promise<Engine>;
  /** Removes what is left behind; called after each test. */
  cleanup?(): Promise<void>;
}

/** Registers one test that gets an engine with the column families `a`, `b` and `c`. */
export type EngineTest = (
  name: string,
  operations: readonly WriteOperation[],
  test: (engine: Engine) => Promise<void>,
) => void;

/** Registers one behaviour. */
export type Behaviour = (test: EngineTest, factory: EngineFactory, api: TestApi) => void;

export const COLUMNS: readonly string[] = ["a", "b", "c"];

/** The {@link EngineTest} of a factory: opens, runs, closes, cleans up. */
export function engineTest(factory: EngineFactory, api: TestApi): EngineTest {
  return (name, operations, test) => {
    api.it(name, async () => {
      try {
        const engine = await factory.open(COLUMNS, operations);
        try {
          await test(engine);
        } finally {
          await engine.close();
        }
      } finally {
        await factory.cleanup?.();
      }
    });
  };
}

export const EMPTY: Uint8Array = new Uint8Array(0);

/** Bytes from numbers: `bytes(1, 0xff)`. */
export function bytes(...values: number[]): Uint8Array {
  return Uint8Array.from(values);
}

/** The bytes of a text. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** A four-byte key that sorts as its number. */
export function numberKey(number: number): Uint8Array {
  const key = new Uint8Array(4);
  new DataView(key.buffer).setUint32(0, number);
  return key;
}

/** Rows with the keys 0 … count - 1 and a value that differs from row to row. */
export function numberedRows(count: number): RawRow[] {
  return Array.from({ length: count }, (_, at) => ({ key: numberKey(at), value: utf8(`value ${at}`) }));
}

export function put(column: string, key: Uint8Array, value: Uint8Array): WriteOperation {
  return { type: "put", column, key, value };
}

export function puts(column: string, rows: readonly RawRow[]): WriteOperation[] {
  return rows.map(({ key, value }) => put(column, key, value));
}

/** All rows of a scan, chunk by chunk. */
export async function drain(scan: RawScan): Promise<RawRow[]> {
  const rows: RawRow[] = [];
  for await (const chunk of scan.chunks()) rows.push(...chunk);
  return rows;
}
