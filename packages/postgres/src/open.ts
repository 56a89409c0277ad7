/** Opening a database on a server, and creating one. */

import { type Engine, isPostgresUrl, type NewServerDatabase } from "merostore/engine";
import {
  checkNewColumns,
  checkOptions,
  invalidArgument,
  isFlag,
  isList,
  isText,
  locationText,
  type OptionChecks,
  type PathOrUrl,
} from "merostore/internal";
import { connectError, statementError } from "./classify.js";
import { Connection } from "./connection.js";
import { Connections } from "./connections.js";
import { createLayout, finish, type Layout, lockNode, readLayout, removeUnfinished } from "./layout.js";
import { PostgresEngine } from "./postgres-engine.js";
import { type System, systemOf } from "./system.js";
import { type PostgresLocation, parsePostgresUrl } from "./url.js";

/** Options of {@link openPostgresEngine}. By default, opens an existing database for reading. */
export interface PostgresEngineOptions {
  /** Open an existing database for reading and writing. Other programs may write to it at the same time. */
  readonly writable?: boolean | undefined;
  /** Create a database for a node that has none on the server, and open it for writing. Requires `columns`. */
  readonly create?: boolean | undefined;
  /** The names of the column families of a new database. It always has `default`, as in RocksDB. */
  readonly columns?: readonly string[] | undefined;
  /**
   * The name of the revision of its rows. It is stored. It counts if the rows fit several revisions, or if there are no
   * rows.
   */
  readonly revision?: string | undefined;
}

const options: OptionChecks<PostgresEngineOptions> = {
  writable: isFlag,
  create: isFlag,
  columns: isList,
  revision: isText,
};

/** Bytes of the longest name of a revision. */
const LONGEST_REVISION = 100;

/**
 * Opens a node's database on a server that speaks PostgreSQL's protocol, or creates one.
 *
 * Each node has a schema, each column family a table with the columns `key` and `value`. A batch is one serializable
 * transaction, which is tried again after a conflict. A snapshot, or a scan of more than 100 rows, is a transaction on
 * its own connection.
 *
 * @param url `postgres://user@host:5432/database?node=berlin-1&sslmode=verify-full`; the password may be in it, in
 * PGPASSWORD
 * or in `~/.pgpass`
 * @throws MerostoreError SERVER_UNREACHABLE, ACCESS_DENIED, TLS_FAILED, DATABASE_NOT_FOUND, NOT_A_DATABASE,
 * DATABASE_EXISTS,
 * FORMAT_UNSUPPORTED, INVALID_ARGUMENT
 */
export async function openPostgresEngine(url: PathOrUrl, given: PostgresEngineOptions = {}): Promise<Engine> {
  checkOptions("openPostgresEngine", given, options);
  const { create = false, columns, revision, writable = create } = given;
  if (create && !writable) throw invalidArgument("a new database is open for writing: leave out writable");
  if (!create && (columns ?? revision) !== undefined)
    throw invalidArgument(
      "columns and revision are those of a new database: leave them out, or add create: true",
    );
  const layout = create ? newLayout({ columns, revision }) : undefined;
  const place = placeOf(url);
  const server = await Server.reach(place, writable);
  if (layout === undefined) return server.opening((connection) => readLayout(connection, place));
  return server.creating(() =>
    server.opening((connection) =>
      createLayout(connection, place, server.system, { ...layout, isUnfinished: false }),
    ),
  );
}

/**
 * Creates a database, and fills it. Nobody can open it before `fill` has finished. If `fill` fails, the database is
 * removed. The rest of an interrupted filling is replaced.
 *
 * @throws MerostoreError as {@link openPostgresEngine}, and the errors of `fill`
 */
export async function fillPostgres<T>(
  url: string,
  create: NewServerDatabase,
  fill: (engine: Engine) => Promise<T>,
): Promise<T> {
  const place = placeOf(url);
  const server = await Server.reach(place, true);
  return server.creating(async (use) => {
    const engine = await server.opening((connection) =>
      createLayout(connection, place, server.system, { ...newLayout(create), isUnfinished: true }),
    );
    try {
      const result = await fill(engine);
      await use("finishing", async (connection) => {
        for (const table of engine.tableNames) await connection.run(`analyze ${table}`);
        await finish(connection, place);
      });
      return result;
    } catch (error) {
      await use("cleaning up", (connection) => removeUnfinished(connection, place)).catch(() => undefined);
      throw error;
    } finally {
      await engine.close();
    }
  });
}

function placeOf(location: PathOrUrl): PostgresLocation {
  const url = locationText(location, "the URL of a database");
  if (!isPostgresUrl(url))
    throw invalidArgument("the URL of a database on a server must begin with postgres://");
  return parsePostgresUrl(url);
}

function newLayout({ columns, revision }: Pick<PostgresEngineOptions, "columns" | "revision">) {
  if (revision !== undefined && (isText(revision) !== undefined || revision.length > LONGEST_REVISION))
    throw invalidArgument(
      `the revision of a new database must be a text of at most ${LONGEST_REVISION} characters`,
    );
  return { columns: checkNewColumns(columns), revision };
}

/** Runs statements on one connection. `doing` names their purpose. */
type Use = <T>(doing: string, work: (connection: Connection) => Promise<T>) => Promise<T>;

/** A reached server: its system, and connections to it. */
class Server {
  readonly system: System;
  readonly #place: PostgresLocation;
  readonly #connections: Connections;
  readonly #writable: boolean;
  readonly #isSynced: boolean;

  private constructor(
    place: PostgresLocation,
    system: System,
    connections: Connections,
    writable: boolean,
    isSynced: boolean,
  ) {
    this.#place = place;
    this.system = system;
    this.#connections = connections;
    this.#writable = writable;
    this.#isSynced = isSynced;
  }

  static async reach(place: PostgresLocation, writable: boolean): Promise<Server> {
    const first = await Connection.open(place, "");
    try {
      const { rows } = await first.query({ text: "select version()" });
      const system = systemOf(String(rows[0]?.[0]));
      const isSynced = system.name !== "PostgreSQL" || (await settingIsOn(first, "fsync"));
      const mode = writable ? system.writing : "set default_transaction_read_only = on";
      const settings = `${system.session}; ${mode}`;
      await first.run(settings);
      const connections = new Connections(() => Connection.open(place, settings));
      await connections.give(first);
      return new Server(place, system, connections, writable, isSynced);
    } catch (error) {
      await first.end();
      throw connectError(error, place);
    }
  }

  /** Reads or creates a layout, and opens the engine on it. */
  async opening(layout: (connection: Connection) => Promise<Layout>): Promise<PostgresEngine> {
    try {
      const { tables, revision } = await this.use("opening", layout);
      return new PostgresEngine({
        ...{ connections: this.#connections, place: this.#place, system: this.system, tables, revision },
        ...{ writable: this.#writable, isSynced: this.#isSynced },
      });
    } catch (error) {
      await this.#connections.close();
      throw error;
    }
  }

  /**
   * Runs work that creates a database while no other program creates the same one: no other program removes or finishes
   * an interrupted copy.
   *
   * @param work gets a function that runs statements on the connection with the lock. If that connection is lost, they
   * fail
   */
  async creating<T>(work: (use: Use) => Promise<T>): Promise<T> {
    let holder: Connection | undefined;
    try {
      const connection = await this.#connections.take();
      holder = connection;
      if (this.system.hasLocks)
        await this.#on(connection, "opening", () => lockNode(connection, this.#place));
      return await work((doing, statements) => this.#on(connection, doing, statements));
    } catch (error) {
      await this.#connections.close();
      throw error;
    } finally {
      await holder?.end();
    }
  }

  async use<T>(doing: string, work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.#connections.take();
    try {
      return await this.#on(connection, doing, work);
    } finally {
      await this.#connections.give(connection);
    }
  }

  async #on<T>(
    connection: Connection,
    doing: string,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    try {
      return await work(connection);
    } catch (error) {
      throw statementError(error, doing, this.#place.shown);
    }
  }
}

async function settingIsOn(connection: Connection, name: string): Promise<boolean> {
  const { rows } = await connection.query({ text: `show ${name}` });
  return rows[0]?.[0] === "on";
}
