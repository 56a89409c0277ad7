/**
 * The state of a RocksDB database that a read sees, the present state or a snapshot, with a session for each column
 * family.
 */

import type { NativeSession } from "./binding.js";

export class Sessions {
  /** True if rows may change while they are read. */
  readonly changes: boolean;
  readonly #whole: NativeSession;
  readonly #columns = new Map<string, NativeSession>();

  /** @param whole the database, or a session with a snapshot */
  constructor(whole: NativeSession, changes: boolean) {
    this.#whole = whole;
    this.changes = changes;
  }

  /** Returns the session of a column family, which must exist. */
  of(column: string): NativeSession {
    const known = this.#columns.get(column);
    if (known !== undefined) return known;
    const session = this.#whole.session({ columnFamily: column });
    this.#columns.set(column, session);
    return session;
  }

  /** Opens a session of a column family with a snapshot of the present state. The caller closes it. */
  frozen(column: string): NativeSession {
    return this.#whole.session({ columnFamily: column, snapshot: true });
  }

  /** Closes the sessions of all column families. */
  async closeColumns(): Promise<void> {
    for (const session of this.#columns.values()) await session.close();
    this.#columns.clear();
  }

  async close(): Promise<void> {
    await this.closeColumns();
    await this.#whole.close();
  }
}
