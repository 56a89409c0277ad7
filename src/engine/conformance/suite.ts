/** The parameters of the suite, and the parts that its files share. */

import type { Engine, EngineReader, RawRow, RawScan, WriteOperation } from "../engine.js";

/** The parts of a test framework that the suite uses; vitest, node:test and Mocha have both. */
export interface TestApi {
  /** Groups the tests that `define` registers. */
  describe(name: string, define: () => void): unknown;
  /** Registers a test, which fails if the promise rejects. */
  it(name: string, test: () => Promise<void>): unknown;
}

/** A reader that is closed after its test. */
export interface ClosableReader extends EngineReader {
  /** Closes the reader or its engine. A second call does nothing. */
  close(): Promise<void>;
}

/** Opens the tested readers. */
export interface ReaderFactory<Reader extends ClosableReader = ClosableReader> {
  /**
   * `one` for readers that have only the column family `default`. Tests that need several families are then left out.
   */
  readonly columns?: "one";
  /**
   * Opens a reader with these column families (and `default`) that shows the result of the operations and nothing else.
   * The suite closes it. If `columns` is `one`, no names are passed.
   */
  open(columns: readonly string[], operations: readonly WriteOperation[]): Promise<Reader>;
  /** Removes leftovers; called after each test. */
  cleanup?(): Promise<void>;
}

/** Opens the tested engines. */
export interface EngineFactory extends ReaderFactory<Engine> {
  /** True if its engines are writable. Otherwise the suite tests reading, and that writes are refused. */
  readonly writable: boolean;
  /** Reopens the database of an engine that the suite has closed. Needed if rows outlive `close`. */
  reopen?(closed: Engine): Promise<Engine>;
}

/** Registers one test that gets a reader with the column families of {@link columnsOf}. */
export type ReaderTest<Reader extends ClosableReader = ClosableReader> = (
  name: string,
  operations: readonly WriteOperation[],
  test: (reader: Reader) => Promise<void>,
) => void;

/** Registers one behaviour of every reader. */
export type ReaderBehaviour = (test: ReaderTest, factory: ReaderFactory) => void;

/** Registers one behaviour of engines. */
export type EngineBehaviour = (test: ReaderTest<Engine>, factory: EngineFactory) => void;

/**
 * The tested column families. Most tests use the first one. Tests that need several are under `if (factory.columns !==
 * "one")` and use their names.
 */
export function columnsOf(factory: Pick<ReaderFactory, "columns">): readonly [string, ...string[]] {
  return factory.columns === "one" ? ["default"] : ["a", "b", "c"];
}

/** Returns the {@link ReaderTest} of a factory, which opens a reader, runs the test, closes and cleans up. */
export function readerTest<Reader extends ClosableReader>(
  factory: ReaderFactory<Reader>,
  api: TestApi,
): ReaderTest<Reader> {
  const created = factory.columns === "one" ? [] : columnsOf(factory);
  return (name, operations, test) => {
    api.it(name, async () => {
      try {
        const reader = await factory.open(created, operations);
        try {
          await test(reader);
        } finally {
          await reader.close();
        }
      } finally {
        await factory.cleanup?.();
      }
    });
  };
}

export const EMPTY: Uint8Array = new Uint8Array(0);

/** Returns bytes from numbers: `bytes(1, 0xff)`. */
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
