/** Answers SQL questions of the explorer's page. The databases are open only during an answer. */
import { blobFolder } from "../../blobs/index.js";
import type { Json } from "../../codec/index.js";
import { invalidArgument } from "../../errors.js";
import type { RowsOfAnswer, SqlSource } from "../../explore/sql.js";
import { eitherSignal } from "../../progress.js";
import { openSql, type SqlDatabase } from "../../sql/index.js";
import type { DatabaseOptions } from "../database/database.js";
import type { Terminal } from "../output/terminal.js";
import { named, withDatabases } from "../sql/databases.js";

/** A database for questions. */
export interface AskedDatabase {
  readonly path: string;
  /** The folder of its blob files. */
  readonly blobs: string | undefined;
}

/** The most rows and characters of an answer for the page. */
const [MOST_ROWS, MOST_CHARACTERS] = [10_000, 8_000_000];

/** Answers questions about databases, one after another. Each reads the present databases. Secrets are null. */
export function sqlSource(
  terminal: Terminal,
  databases: readonly AskedDatabase[],
  options: DatabaseOptions,
): SqlSource {
  let last: Promise<unknown> = Promise.resolve();
  const stop = new AbortController();
  const opened = <T>(
    asked: readonly AskedDatabase[],
    given: AbortSignal,
    work: (sql: SqlDatabase, signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    const signal = eitherSignal(given, stop.signal);
    const before = last;
    const next = (async () => {
      await before;
      signal.throwIfAborted();
      return withSql(terminal, asked, options, signal, work);
    })();
    // The answer is dropped, so that it does not stay in memory until the next question.
    last = next.then(
      () => undefined,
      () => undefined,
    );
    return next;
  };
  return {
    tables: (signal) =>
      opened(databases, signal, async ({ tables, views }) => [
        ...views.map((table) => ({ ...table, isView: true })),
        ...tables.map((table) => ({ ...table, isView: false })),
      ]),
    run(statement, signal, place) {
      const one = place === undefined ? undefined : databases[place];
      if (place !== undefined && one === undefined)
        throw invalidArgument(`there are ${databases.length} databases, and none at ${place}`);
      return opened(one === undefined ? databases : [one], signal, (sql, ended) =>
        rowsOf(sql, statement, ended),
      );
    },
    close: async () => {
      stop.abort();
      await last;
    },
  };
}

async function withSql<T>(
  terminal: Terminal,
  databases: readonly AskedDatabase[],
  options: DatabaseOptions,
  signal: AbortSignal,
  work: (sql: SqlDatabase, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const paths = databases.map(({ path }) => path);
  return withDatabases(terminal, paths, options, async (stores) => {
    signal.throwIfAborted();
    const { names, asked } = named(paths, stores);
    const folders = await Promise.all(
      databases.map(async ({ blobs }) => (blobs === undefined ? undefined : blobFolder(blobs))),
    );
    await using sql = await openSql(asked, { blobsOf: (name) => folders[names.indexOf(name)] });
    signal.throwIfAborted();
    return await work(sql, signal);
  });
}

async function rowsOf(sql: SqlDatabase, statement: string, signal: AbortSignal): Promise<RowsOfAnswer> {
  const begun = performance.now();
  let read = 0;
  const found = await sql.query(statement, {
    signal,
    onProgress: ({ done }) => {
      read = done;
    },
  });
  const rows: (readonly Json[])[] = [];
  let characters = 0;
  let isCut = false;
  reading: for await (const chunk of found.jsonChunks())
    for (const row of chunk) {
      characters += JSON.stringify(row).length;
      isCut = rows.length >= MOST_ROWS || characters > MOST_CHARACTERS;
      if (isCut) break reading;
      rows.push(row);
    }
  const { columns, undecoded } = found;
  return { columns, rows, isCut, read, undecoded, took: performance.now() - begun };
}
