/** The systems that speak PostgreSQL's protocol, and what each needs that the others do not. */

import type { Limits } from "merostore/engine";
import type { Connection } from "./connection.js";

const MIB = 1024 * 1024;

/** A system, and the statements that differ from one to the next. */
export interface System {
  readonly name: "PostgreSQL" | "CockroachDB" | "YugabyteDB";
  /** Prepares a session. */
  readonly session: string;
  /** Prepares a session that writes, after {@link session}. */
  readonly writing: string;
  /** The columns of the table of a family. */
  readonly columns: string;
  /** The statement that returns the sizes of tables is known. */
  readonly hasSizes: boolean;
  /** Sessions can hold locks of their own (advisory ones). */
  readonly hasLocks: boolean;
  readonly limits: Limits;
  /** Begins a transaction that goes on seeing the state of this moment. */
  beginSnapshot(connection: Connection): Promise<void>;
}

/** Reads rows in key order from the index. Without statistics, the planner would sort new tables. */
const BY_INDEX =
  "set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off; set jit = off";

/** `select 1` takes the snapshot: `begin` does not. */
const SNAPSHOT = "begin isolation level repeatable read, read only; select 1";

const postgresql: System = {
  name: "PostgreSQL",
  session: `set bytea_output = hex; ${BY_INDEX}`,
  // Durable whatever the server's default is. Stricter settings stay.
  writing:
    "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'",
  columns: "key bytea primary key, value bytea not null",
  hasSizes: true,
  hasLocks: true,
  // A row of the index holds 2,704 bytes. A value in hex digits, as it is read, must fit into a text of JavaScript.
  limits: { keyBytes: 2690, valueBytes: 128 * MIB, batchBytes: 1024 * MIB },
  beginSnapshot: (connection) => connection.run(SNAPSHOT),
};

const yugabytedb: System = {
  ...postgresql,
  name: "YugabyteDB",
  session: "set bytea_output = hex",
  writing: "select 1",
  // By default the primary key is by hash, and has no order.
  columns: "key bytea, value bytea not null, primary key (key asc)",
  hasSizes: false,
  hasLocks: false,
  limits: { keyBytes: 2690, valueBytes: 16 * MIB, batchBytes: 256 * MIB },
};

const cockroachdb: System = {
  ...postgresql,
  name: "CockroachDB",
  session: "set bytea_output = hex",
  writing: "select 1",
  hasSizes: false,
  hasLocks: false,
  // A message of its protocol may have 16 MiB.
  limits: { keyBytes: 2690, valueBytes: 8 * MIB, batchBytes: 64 * MIB },
  /** A long transaction of the usual kind would make writers try again; one of the past does not. */
  async beginSnapshot(connection) {
    const { rows } = await connection.query({ text: "select cluster_logical_timestamp()::string" });
    const moment = /^\d+\.\d+$/.exec(String(rows[0]?.[0]))?.[0];
    if (moment === undefined) throw new Error("cluster_logical_timestamp() returned no number");
    await connection.run(`begin as of system time ${moment}`);
  },
};

/** The system that a server is, by the answer to `select version()`. Anything unknown is treated as PostgreSQL. */
export function systemOf(version: string): System {
  if (/CockroachDB/i.test(version)) return cockroachdb;
  return /-YB-|Yugabyte/i.test(version) ? yugabytedb : postgresql;
}
