/** The connections of one engine: the idle ones, and the number that read at once. */

import { MerostoreError } from "merostore/internal";
import { isLost } from "./classify.js";
import type { Connection } from "./connection.js";

/** The most connections that are kept open while nobody uses them. */
const MOST_IDLE = 4;
/** The most reads of single keys at once, each on its own connection. */
const MOST_READING = 4;

export class Connections {
  readonly #connect: () => Promise<Connection>;
  readonly #idle: Connection[] = [];
  readonly #waiting: (() => void)[] = [];
  #reading = 0;
  #isClosed = false;

  constructor(connect: () => Promise<Connection>) {
    this.#connect = connect;
  }

  /** Returns a connection for one caller until it is given back: an idle one, or a new one. */
  async take(): Promise<Connection> {
    return this.#resting() ?? this.#connect();
  }

  /** Takes a connection back. It must not have an open transaction. */
  async give(connection: Connection): Promise<void> {
    if (connection.isLost || this.#isClosed || this.#idle.length >= MOST_IDLE) await connection.end();
    else this.#idle.push(connection);
  }

  /**
   * Does short work that changes nothing, on an idle connection if there is one. A lost connection is replaced once, so
   * that readers do not notice a restart of the server.
   */
  async read<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.#reading >= MOST_READING) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#reading++;
    try {
      const resting = this.#resting();
      if (resting === undefined) return await this.#on(await this.#connect(), work);
      try {
        return await this.#on(resting, work);
      } catch (error) {
        if (!isLost(error)) throw error;
        return await this.#on(await this.#connect(), work);
      }
    } finally {
      this.#reading--;
      this.#waiting.shift()?.();
    }
  }

  /** Closes the idle connections. Used ones are closed when they are given back. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#idle.splice(0).map((connection) => connection.end()));
  }

  #resting(): Connection | undefined {
    if (this.#isClosed) throw new MerostoreError("CLOSED", "the database is closed");
    for (let found = this.#idle.pop(); found !== undefined; found = this.#idle.pop()) {
      if (!found.isLost) return found;
      void found.end();
    }
    return undefined;
  }

  async #on<T>(connection: Connection, work: (connection: Connection) => Promise<T>): Promise<T> {
    try {
      return await work(connection);
    } finally {
      await this.give(connection);
    }
  }
}
