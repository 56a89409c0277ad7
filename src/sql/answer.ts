/** The answer to a statement. */
import type { DuckDBDataChunk, DuckDBResult, DuckDBType, DuckDBValue } from "@duckdb/node-api";
import type { Json } from "../codec/index.js";
import { invalidArgument } from "../errors.js";
import { statementError } from "./statement.js";
import { checkNames, type SqlValue, sqlToJson, sqlValue } from "./value.js";

/** A column of a table or of an answer. */
export interface SqlColumn {
  /** Its name, which is unique in an answer. */
  readonly name: string;
  /** Its type in SQL: `VARCHAR`, `UBIGINT`, `STRUCT("sequence" UBIGINT)[]`. */
  readonly type: string;
}

/** The chunks of an answer as DuckDB has them. */
export let chunksOf: (answer: SqlAnswer) => AsyncGenerator<DuckDBDataChunk, void, undefined>;

/** The rows of a statement's answer. They can be read once, before the next statement. */
export class SqlAnswer {
  /** The columns in order. */
  readonly columns: readonly SqlColumn[];
  /** The number of rows of the named kinds whose value does not decode. Their fields are null. */
  readonly undecoded: number;
  /** True if more statements of the same text follow. */
  readonly hasNext: boolean;
  readonly #result: DuckDBResult;
  readonly #types: readonly DuckDBType[];
  readonly #check: () => void;
  #taken = false;

  /** @internal @param check throws if the rows can no longer be read */
  constructor(result: DuckDBResult, undecoded: number, check: () => void, hasNext: boolean) {
    this.#result = result;
    this.#types = result.columnTypes();
    for (const type of this.#types) checkNames(type);
    const names = result.deduplicatedColumnNames();
    this.columns = this.#types.map((type, at) => ({ name: names[at] as string, type: type.toString() }));
    this.undecoded = undecoded;
    this.hasNext = hasNext;
    this.#check = check;
  }

  /** Yields the rows in chunks of up to 2,048, each row an array of the columns' values. */
  chunks(): AsyncGenerator<readonly (readonly SqlValue[])[], void, undefined> {
    return this.#converted(sqlValue);
  }

  /**
   * Yields the rows in chunks as `chunks` does, in the JSON form: bytes as hex, numbers of the type UBIGINT as decimal
   * text.
   */
  jsonChunks(): AsyncGenerator<readonly (readonly Json[])[], void, undefined> {
    return this.#converted(sqlToJson);
  }

  /** Yields the rows one by one, as objects by the names of the columns. */
  async *[Symbol.asyncIterator](): AsyncGenerator<{ readonly [column: string]: SqlValue }, void, undefined> {
    for await (const chunk of this.chunks())
      for (const row of chunk)
        yield Object.fromEntries(this.columns.map(({ name }, at) => [name, row[at] as SqlValue]));
  }

  async *#converted<T>(
    convert: (value: DuckDBValue, type: DuckDBType) => T,
  ): AsyncGenerator<readonly (readonly T[])[], void, undefined> {
    const types = this.#types;
    for await (const chunk of this.#raw())
      yield chunk.getRows().map((row) => row.map((value, at) => convert(value, types[at] as DuckDBType)));
  }

  async *#raw(): AsyncGenerator<DuckDBDataChunk, void, undefined> {
    if (this.#taken) throw invalidArgument("the rows of an answer can be read once");
    this.#taken = true;
    for (;;) {
      this.#check();
      const chunk = await this.#next();
      if (chunk === null || chunk.rowCount === 0) break;
      yield chunk;
    }
    // DuckDB also ends an answer when the next statement runs, or at its closing.
    this.#check();
  }

  async #next(): Promise<DuckDBDataChunk | null> {
    try {
      return await this.#result.fetchChunk();
    } catch (error) {
      this.#check();
      throw statementError(error);
    }
  }

  static {
    chunksOf = (answer) => answer.#raw();
  }
}
