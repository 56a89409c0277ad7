/** The systems with PostgreSQL's protocol, and the special needs of each. */

import type { Limits } from "merostore/engine";
import type { Connection } from "./connection.js";

const MIB = 1024 * 1024;

/** A system, and the statements that differ between systems. */
export interface System {
  readonly name: "PostgreSQL" | "CockroachDB" | "YugabyteDB";
  /** Prepares a session. */
  readonly session: string;
  /** Prepares a session that writes, after {@link session}. */
  readonly writing: string;
  /** The columns of the table of a family. */
  readonly columns: string;
  /** True if the system has the statement that returns the sizes of tables. */
  readonly hasSizes: boolean;
  /** True if sessions can hold advisory locks. */
  readonly hasLocks: boolean;
  readonly limits: Limits;
  /** Begins a transaction that always sees the state of this moment. */
  beginSnapshot(connection: Connection): Promise<void>;
}

/** Makes the planner read rows in key order from the index. Without statistics, it would sort new tables. */
const BY_INDEX =
  "set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off; set jit = off";

/** `select 1` takes the snapshot: `begin` does not. */
const SNAPSHOT = "begin isolation level repeatable read, read only; select 1";

const postgresql: System = {
  name: "PostgreSQL",
  session: `set bytea_output = hex; ${BY_INDEX}`,
  // Makes commits durable if the server's default does not. Stricter settings stay.
  writing:
    "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'",
  columns: "key bytea primary key, value bytea not null",
  hasSizes: true,
  hasLocks: true,
  // A row of the index has at most 2,704 bytes. Values are read as hex digits, which must fit into a string of
  // JavaScript.
  limits: { keyBytes: 2690, valueBytes: 128 * MIB, batchBytes: 1024 * MIB },
  beginSnapshot: (connection) => connection.run(SNAPSHOT),
};

const yugabytedb: System = {
  ...postgresql,
  name: "YugabyteDB",
  session: "set bytea_output = hex",
  writing: "select 1",
  // By default the primary key is hashed, which gives no order.
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
  /** A long transaction of the usual kind would make writers try again. A transaction of a past state does not. */
  async beginSnapshot(connection) {
    const { rows } = await connection.query({ text: "select cluster_logical_timestamp()::string" });
    const moment = /^\d+\.\d+$/.exec(String(rows[0]?.[0]))?.[0];
    if (moment === undefined) throw new Error("cluster_logical_timestamp() returned no number");
    await connection.run(`begin as of system time ${moment}`);
  },
};

/** The system of a server, by its answer to `select version()`. An unknown system is treated as PostgreSQL. */
export function systemOf(version: string): System {
  if (/CockroachDB/i.test(version)) return cockroachdb;
  return /-YB-|Yugabyte/i.test(version) ? yugabytedb : postgresql;
}
