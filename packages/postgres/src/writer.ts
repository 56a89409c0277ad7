/** The writes of an engine: one batch after another, each a transaction, on their own connection. */

import { setTimeout as wait } from "node:timers/promises";
import { MerostoreError, SerialQueue } from "merostore/internal";
import { commitUnknown, isConflict, isLost, isRefusedCommit } from "./classify.js";
import type { Connection, Statement } from "./connection.js";
import type { Connections } from "./connections.js";

/** The most tries of a batch before its conflict is an error. The waits add up to about 6 seconds. */
const MOST_TRIES = 12;
const FIRST_WAIT = 2;
const LONGEST_WAIT = 1_000;

export class BatchWriter {
  readonly #connections: Connections;
  readonly #shown: string;
  readonly #queue = new SerialQueue();

  /** @param shown the database, for messages */
  constructor(connections: Connections, shown: string) {
    this.#connections = connections;
    this.#shown = shown;
  }

  /** Runs work after all earlier work. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(work);
  }

  /**
   * Runs statements as one transaction. It is tried again after a conflict, and once if the connection was lost before
   * the COMMIT was sent, since nothing was written then. It is not tried again after a lost COMMIT.
   *
   * @param statements called for each try
   * @throws MerostoreError COMMIT_UNKNOWN
   */
  async transaction(statements: () => Iterable<Statement>): Promise<void> {
    let lost = 0;
    for (let tries = 1; ; tries++) {
      try {
        await this.#attempt(statements());
        return;
      } catch (error) {
        if (error instanceof MerostoreError) throw error;
        if (isLost(error)) {
          if (++lost > 1) throw error;
        } else if (!isConflict(error) || tries === MOST_TRIES) throw error;
        else await wait(Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** tries) * (0.5 + Math.random()));
      }
    }
  }

  async #attempt(statements: Iterable<Statement>): Promise<void> {
    const connection = await this.#connections.take();
    try {
      await connection.run("begin isolation level serializable");
      for (const statement of statements) await connection.query(statement);
      await this.#commit(connection);
    } catch (error) {
      // If the transaction cannot be ended, closing the connection discards it.
      if (!connection.isLost) await connection.run("rollback").catch(() => connection.end());
      throw error;
    } finally {
      await this.#connections.give(connection);
    }
  }

  async #commit(connection: Connection): Promise<void> {
    const { command } = await connection.query({ text: "commit" }).catch((error: unknown) => {
      throw isRefusedCommit(error) ? error : commitUnknown(error, this.#shown);
    });
    // This is the answer to the COMMIT of a failed transaction.
    if (command !== "COMMIT") throw new MerostoreError("ENGINE_FAILED", `${this.#shown} rolled a batch back`);
  }
}
