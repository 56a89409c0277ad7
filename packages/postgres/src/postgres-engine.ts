/** The engine over a database on a server that speaks PostgreSQL's protocol. */

import {
  type ByteRange,
  type Capabilities,
  type ChunkSource,
  EngineBase,
  type RawRow,
  type ScanPlan,
  type Values,
  type Warning,
  type WriteOperation,
} from "merostore/engine";
import { asAnswered, fromAnswer } from "./arrays.js";
import { checkLimits, statementsOf } from "./batch.js";
import { statementError } from "./classify.js";
import type { Connection } from "./connection.js";
import type { Connections } from "./connections.js";
import { copyIn } from "./copy-in.js";
import { PageScan, type ScannedTable, tooLarge, wholeRows } from "./page-scan.js";
import type { System } from "./system.js";
import {
  estimateStatement,
  pageStatement,
  sizeOfPart,
  sizeStatement,
  valuesStatement,
} from "./table-reader.js";
import type { PostgresLocation } from "./url.js";
import { BatchWriter } from "./writer.js";

/** An open database, ready to be used. */
export interface OpenPostgres {
  readonly connections: Connections;
  readonly place: PostgresLocation;
  readonly system: System;
  readonly tables: ReadonlyMap<string, string>;
  /** The revision that was named when the database was created. */
  readonly revision: string | undefined;
  readonly writable: boolean;
  /** True if the server survives a power failure: its setting `fsync`. */
  readonly isSynced: boolean;
}

/** The state that a read sees: the transaction of a snapshot, or the present state. */
export interface PostgresReadView {
  readonly snapshot?: Connection;
}

const PRESENT: PostgresReadView = {};

/** Rows of the first page of a scan. A scan that ends within this page runs without a transaction. */
const FIRST_ROWS = 100;

export class PostgresEngine extends EngineBase<PostgresReadView> {
  readonly columns: readonly string[];
  override readonly revision: string | undefined;
  readonly capabilities: Capabilities;
  readonly warnings: readonly Warning[] = [];
  readonly #connections: Connections;
  readonly #place: PostgresLocation;
  readonly #system: System;
  readonly #tables: ReadonlyMap<string, string>;
  readonly #writer: BatchWriter;
  /** Scans and snapshots that do not have their state of the database yet: later writes wait for them. */
  readonly #opening = new Set<Promise<unknown>>();

  constructor({ connections, place, system, tables, revision, writable, isSynced }: OpenPostgres) {
    super();
    this.#connections = connections;
    this.#place = place;
    this.#system = system;
    this.#tables = tables;
    this.#writer = new BatchWriter(connections, place.shown);
    this.columns = [...tables.keys()];
    this.revision = revision;
    this.capabilities = {
      engine: "postgres",
      writable,
      persistent: true,
      syncedWrites: writable && isSynced,
      limits: system.limits,
    };
  }

  /** The quoted names of all tables of families. */
  get tableNames(): readonly string[] {
    return [...this.#tables.values()];
  }

  protected override get readOnlyReason(): string {
    return `${this.#place.shown} was opened for reading; pass writable: true`;
  }

  protected override readView(): PostgresReadView {
    return PRESENT;
  }

  protected override pin(): Promise<PostgresReadView> {
    return this.#noteOpening(this.#transaction().then((snapshot) => ({ snapshot })));
  }

  protected override async release({ snapshot }: PostgresReadView): Promise<void> {
    if (snapshot !== undefined) await this.#endTransaction(snapshot);
  }

  protected override async lookUp(
    column: string,
    keys: readonly Uint8Array[],
    { snapshot }: PostgresReadView,
  ): Promise<Values> {
    const { name, valueBytes } = this.#table(column);
    const statement = valuesStatement(name, keys, valueBytes);
    const { rows } = await (snapshot === undefined
      ? this.#connections.read((connection) => connection.query(statement))
      : snapshot.query(statement));
    const found = new Map<string, string>();
    for (const [key, value] of rows) {
      if (value == null) throw tooLarge(column, valueBytes);
      found.set(String(key), value);
    }
    return keys.map((key) => {
      const value = found.get(asAnswered(key));
      return value === undefined ? undefined : fromAnswer(value);
    });
  }

  protected override openScan(
    column: string,
    plan: ScanPlan,
    { snapshot }: PostgresReadView,
  ): ChunkSource | Promise<ChunkSource> {
    const table = this.#table(column);
    if (snapshot !== undefined) return new PageScan(snapshot, table, plan, async () => undefined);
    return this.#noteOpening(this.#openScan(table, plan));
  }

  /**
   * Writes a batch in one transaction. A settled write is durable. Writes run one after another, in the order of the
   * calls, once all earlier scans and snapshots have their state.
   */
  protected override async apply(operations: readonly WriteOperation[]): Promise<void> {
    checkLimits(operations, this.#system.limits, this.#system.name);
    const begun = [...this.#opening];
    await this.#writer.inTurn(async () => {
      await Promise.allSettled(begun);
      await this.#writer.transaction(() => statementsOf(operations, (column) => this.#table(column).name));
    });
  }

  protected override async size(column: string, range: Required<ByteRange>): Promise<number> {
    if (!this.#system.hasSizes) return 0;
    const { name } = this.#table(column);
    return this.#connections.read(async (connection) => {
      const { rows } = await connection.query(sizeStatement(name));
      const bytes = Number(rows[0]?.[0] ?? 0);
      if (range.gte === undefined && range.lt === undefined) return bytes;
      const expected = async (part: ByteRange) => {
        const { rows: plan } = await connection.query(estimateStatement(name, part));
        return Number(/ rows=(\d+)/.exec(String(plan[0]?.[0]))?.[1] ?? 0);
      };
      const [within, all] = [await expected(range), await expected({})];
      return sizeOfPart(bytes, within, all);
    });
  }

  /** Writes rows by `COPY`, in one transaction. */
  override load(column: string, rows: AsyncIterable<readonly RawRow[]>): Promise<number> {
    this.checkOpen();
    this.checkColumn(column);
    const { name } = this.#table(column);
    return this.perform(`loading ${column}`, () =>
      this.#writer.inTurn(async () => {
        const connection = await this.#connections.take();
        try {
          return await copyIn(connection, name, rows, {
            column,
            limits: this.#system.limits,
            server: this.#system.name,
            shown: this.#place.shown,
          });
        } finally {
          await this.#connections.give(connection);
        }
      }),
    );
  }

  protected override shut(): Promise<void> {
    return this.#connections.close();
  }

  protected override failure(error: unknown, doing: string): unknown {
    return statementError(error, doing, this.#place.shown);
  }

  #table(column: string): ScannedTable {
    const { valueBytes } = this.#system.limits;
    return { name: this.#tables.get(column) as string, column, valueBytes };
  }

  /** The first rows show whether a transaction is needed: most families of most nodes have few rows. */
  async #openScan(table: ScannedTable, plan: ScanPlan): Promise<ChunkSource> {
    const first = Math.min(plan.limit, FIRST_ROWS);
    const statement = pageStatement(table.name, plan, undefined, first);
    const { rows } = await this.#connections.read((connection) => connection.query(statement));
    const whole = rows.length < first || plan.limit === first ? wholeRows(rows, plan.keysOnly) : undefined;
    if (whole !== undefined) {
      const chunks = whole.length === 0 ? [] : [whole];
      return { next: () => chunks.pop() };
    }
    const connection = await this.#transaction();
    return new PageScan(connection, table, plan, () => this.#endTransaction(connection));
  }

  /** A connection in a transaction that sees the state of this moment. */
  async #transaction(): Promise<Connection> {
    const connection = await this.#connections.take();
    try {
      await this.#system.beginSnapshot(connection);
      return connection;
    } catch (error) {
      await connection.end();
      throw error;
    }
  }

  async #endTransaction(connection: Connection): Promise<void> {
    if (!connection.isLost) await connection.run("rollback").catch(() => connection.end());
    await this.#connections.give(connection);
  }

  #noteOpening<T>(opening: Promise<T>): Promise<T> {
    this.#opening.add(opening);
    const forget = () => void this.#opening.delete(opening);
    opening.then(forget, forget);
    return opening;
  }
}
