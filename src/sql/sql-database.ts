/** SQL over the rows of one or several databases. */
import type {
  DuckDBConnection,
  DuckDBExtractedStatements,
  DuckDBPreparedStatement,
  DuckDBResult,
} from "@duckdb/node-api";
import type { BlobFiles } from "../blobs/index.js";
import { SerialQueue } from "../collections/serial-queue.js";
import { invalidArgument, MerostoreError } from "../errors.js";
import { checkOptions, isFlag, isFunction, isWholeNumber, type OptionChecks } from "../options.js";
import { Follower, type ProgressOptions, progressOptions } from "../progress.js";
import type { StoreReader } from "../store/index.js";
import { SqlAnswer, type SqlColumn } from "./answer.js";
import { fillTable } from "./fill.js";
import { typeText } from "./layout.js";
import { interrupting, LEAST_BYTES, MEMORY_BYTES, type OpenDuckDB, openDuckDB } from "./open.js";
import type { Filled } from "./read-table.js";
import { checkText, checkType, listsTables, namedTables, namedViews, statementError } from "./statement.js";
import { createTable, namedStores, type Table, tablesOf } from "./table.js";
import { wordTables } from "./words.js";

/** Options of {@link openSql}. */
export interface SqlOptions {
  /** Show private keys, shared keys and private state; otherwise they are null. */
  readonly revealSecrets?: boolean | undefined;
  /**
   * The bytes of memory that DuckDB may use: 512 MiB unless given, at least 64 MiB. Larger data goes to temporary
   * files.
   */
  readonly memoryBytes?: number | undefined;
  /**
   * Returns the files of the blobs of a database by its name, `""` for the only one: they give names to applications,
   * and types to the view `entries`. Without them, the types in the rows are used.
   */
  readonly blobsOf?: ((node: string) => BlobFiles | undefined) | undefined;
}

/** A table that statements can name: a kind of row, or a view. */
export interface SqlTable {
  /** The kind: `GroupMember`; for a view a word: `members`. */
  readonly name: string;
  /**
   * The columns: `node` if there are several databases; for a kind the parts of the key, the fields of the value, and
   * `error`.
   */
  readonly columns: readonly SqlColumn[];
}

const sqlOptions: OptionChecks<SqlOptions> = {
  revealSecrets: isFlag,
  memoryBytes: isWholeNumber(LEAST_BYTES),
  blobsOf: isFunction,
};

/**
 * Opens databases for SQL, with a table for each kind of row. The rows of a kind are read when a statement first names
 * it, and do not change afterwards. Needs the package `@duckdb/node-api`.
 *
 * @param stores a store, or several by the names that the column `node` has. They stay open; the caller closes them.
 * @throws MerostoreError `NATIVE_LOAD_FAILED` if the package is not installed, `INVALID_ARGUMENT`
 * @example
 * await using store = await openStore("node/data");
 * await using sql = await openSql(store);
 * const answer = await sql.query("select role, count(*) as members from GroupMember group by role");
 * for await (const { role, members } of answer) console.log(role, members);
 */
export async function openSql(
  stores: StoreReader | Readonly<Record<string, StoreReader>>,
  options: SqlOptions = {},
): Promise<SqlDatabase> {
  checkOptions("openSql", options, sqlOptions);
  const { revealSecrets = false, memoryBytes = MEMORY_BYTES, blobsOf = () => undefined } = options;
  const { named, withNode } = namedStores(stores);
  const tables = tablesOf(named, withNode);
  const views = wordTables(named, withNode, blobsOf);
  const opened = await openDuckDB(memoryBytes, false);
  try {
    const connections = [await opened.connect(), await opened.connect()] as const;
    return new SqlDatabase({ opened, connections, tables, views, revealSecrets });
  } catch (error) {
    await opened[Symbol.asyncDispose]();
    throw error;
  }
}

/** Databases open for SQL. Statements change nothing in them: tables are copies in memory. */
export class SqlDatabase implements AsyncDisposable {
  /** All tables, in the order of the schema. */
  readonly tables: readonly SqlTable[];
  /**
   * The views: `groups`, `members`, `contexts`, `deltas`, `log` and `entries`, in plain words and with names. They lack
   * the facts in rows that do not decode: `unread` of a `Node` lists these rows.
   */
  readonly views: readonly SqlTable[];
  readonly #opened: OpenDuckDB;
  readonly #own: DuckDBConnection;
  readonly #users: DuckDBConnection;
  readonly #tables: readonly Table[];
  readonly #views: readonly Table[];
  readonly #filled = new Map<Table, Filled>();
  readonly #reveal: boolean;
  readonly #queue = new SerialQueue();
  /** The number of calls of DuckDB for statements. Each one ends the answer before it. */
  #asked = 0;
  #closed = false;

  /** @internal */
  constructor({ opened, connections, tables, views, revealSecrets }: Parts) {
    this.#opened = opened;
    [this.#own, this.#users] = connections;
    this.#tables = tables;
    this.#views = views;
    this.#reveal = revealSecrets;
    this.tables = tables.map(described);
    this.views = views.map(described);
  }

  /**
   * Runs a statement, or several after each other, and returns the answer to the last one. It first reads the rows of
   * newly named kinds, which the progress counts. Statements reach no files, no network and no settings.
   *
   * @throws MerostoreError `INVALID_ARGUMENT` for a statement that DuckDB refuses, or that is not about tables;
   *   `CLOSED`; errors of reading; the reason of the signal
   */
  async query(sql: string, options: ProgressOptions = {}): Promise<SqlAnswer> {
    checkOptions("query", options, progressOptions);
    return this.#queue.run(async () => {
      const run = await this.#prepare(sql, options);
      for (let index = 0; index < run.last; index++) await this.#result(run, index, false);
      return this.#answer(run, run.last, await this.#result(run, run.last, true));
    });
  }

  /**
   * Runs statements one after another, as `query` does, and yields the answer to each statement with rows, and to the
   * last one. Read an answer before you request the next one, because the next statement runs then.
   *
   * @throws MerostoreError as `query`
   */
  async *queryEach(sql: string, options: ProgressOptions = {}): AsyncGenerator<SqlAnswer, void, undefined> {
    checkOptions("queryEach", options, progressOptions);
    const run = await this.#queue.run(() => this.#prepare(sql, options));
    for (let index = 0; index <= run.last; index++) {
      const answer = await this.#queue.run(async () => {
        const result = await this.#result(run, index, true);
        const { QUERY_RESULT } = this.#opened.loaded.duckdb.ResultReturnType;
        const isRead = index === run.last || result.returnType === QUERY_RESULT;
        return isRead ? this.#answer(run, index, result) : undefined;
      });
      if (answer !== undefined) yield answer;
    }
  }

  /** Closes the tables and removes temporary files. The stores stay open. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#users.interrupt();
    await this.#queue.idle();
    await this.#opened[Symbol.asyncDispose]();
  }

  /** Closes, as `close` does. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Runs work in DuckDB, and converts its errors. */
  async #ask<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    this.#check(signal);
    this.#asked++;
    using _ = interrupting(this.#users, signal);
    try {
      return await work();
    } catch (error) {
      this.#check(signal);
      throw statementError(error, this.#names);
    }
  }

  /** Reads the rows of the kinds that a text names, and splits it into statements. */
  async #prepare(sql: string, options: ProgressOptions): Promise<Run> {
    if (typeof sql !== "string") throw invalidArgument("expected a statement as a string");
    const { signal } = options;
    this.#check(signal);
    checkText(sql);
    const undecoded = await this.#fill(sql, options);
    const statements = await this.#ask(() => this.#users.extractStatements(sql), signal);
    if (statements.count === 0) throw invalidArgument("the text contains no statement");
    return { sql, statements, last: statements.count - 1, undecoded, signal };
  }

  /** Runs a statement. */
  async #result(
    { sql, statements, last, signal }: Run,
    index: number,
    isRead: boolean,
  ): Promise<DuckDBResult> {
    const { duckdb } = this.#opened.loaded;
    return this.#ask(async () => {
      const statement: DuckDBPreparedStatement = await statements.prepare(index);
      checkType(duckdb, statement.statementType, sql);
      if (statement.parameterCount > 0) throw invalidArgument("a statement can have no parameters here");
      this.#check(signal);
      const isSelect = statement.statementType === duckdb.StatementType.SELECT;
      return isRead && (isSelect || index === last) ? statement.stream() : statement.run();
    }, signal);
  }

  #answer({ undecoded, signal, last }: Run, index: number, result: DuckDBResult): SqlAnswer {
    const asked = this.#asked;
    const check = (): void => {
      this.#check(signal);
      if (this.#asked !== asked)
        throw invalidArgument("the rows of an answer must be read before the next statement");
    };
    return new SqlAnswer(result, undecoded, check, index < last);
  }

  /** Reads the kinds of rows that a text names. Returns how many of their rows do not decode. */
  async #fill(sql: string, options: ProgressOptions): Promise<number> {
    const follower = new Follower(options);
    const namesOf = (tables: readonly SqlTable[]): string[] => tables.map(({ name }) => name);
    const names = [...namedTables(sql, namesOf(this.tables)), ...namedViews(sql, namesOf(this.views))];
    let undecoded = 0;
    if (listsTables(sql)) await this.#createAll();
    for (const table of [...this.#tables, ...this.#views].filter(({ name }) => names.includes(name))) {
      let filled = this.#filled.get(table);
      if (filled === undefined) {
        const onRows = (rows: number): void => {
          this.#check(options.signal);
          follower.add(rows);
        };
        filled = await fillTable(this.#opened.loaded, this.#own, table, { reveal: this.#reveal, onRows });
        this.#filled.set(table, filled);
      }
      undecoded += filled.undecoded;
    }
    follower.end();
    return undecoded;
  }

  /** Creates the tables of unread kinds, so that DuckDB lists them. */
  async #createAll(): Promise<void> {
    for (const table of [...this.#views, ...this.#tables])
      if (!this.#filled.has(table)) await this.#own.run(createTable(table));
  }

  get #names(): readonly string[] {
    return [...this.tables, ...this.views].map(({ name }) => name);
  }

  #check(signal: AbortSignal | undefined): void {
    signal?.throwIfAborted();
    if (this.#closed) throw new MerostoreError("CLOSED", "the SQL database is closed");
  }
}

function described({ name, columns }: Table): SqlTable {
  return { name, columns: columns.map((column) => ({ name: column.name, type: typeText(column.layout) })) };
}

/** The statements of a text. */
interface Run {
  readonly sql: string;
  readonly statements: DuckDBExtractedStatements;
  /** The index of the last statement. */
  readonly last: number;
  /** The number of rows of the named kinds that do not decode. */
  readonly undecoded: number;
  readonly signal: AbortSignal | undefined;
}

interface Parts {
  readonly opened: OpenDuckDB;
  /** The first one fills tables, the second one runs statements. */
  readonly connections: readonly [DuckDBConnection, DuckDBConnection];
  readonly tables: readonly Table[];
  readonly views: readonly Table[];
  readonly revealSecrets: boolean;
}
