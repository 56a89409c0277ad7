/** One connection to a server: one statement at a time, results as text. */

import { readFile } from "node:fs/promises";
import type { Writable } from "node:stream";
import { type ConnectionOptions, checkServerIdentity } from "node:tls";
import { MerostoreError, SerialQueue } from "merostore/internal";
import pg, { type Client, type FieldDef, type Submittable } from "pg";
import { BYTEA } from "./arrays.js";
import { connectError } from "./classify.js";
import { passwordOf } from "./password-file.js";
import type { PostgresLocation } from "./url.js";

/** A row as the server sent it: `bytea` is `\x` and hex digits. */
export type TextRow = readonly (string | null)[];

/** The result of a statement. */
export interface Answer {
  /** The command of the statement: `SELECT`, `COMMIT`, `ROLLBACK`. */
  readonly command: string;
  readonly rows: readonly TextRow[];
}

/** A statement. Values take the places of `$1`, `$2`. */
export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
  /** True if the server is to keep its plan, for texts that are repeated often. */
  readonly isKept?: boolean;
  /**
   * For a read of a family, the quoted name of its table: all columns of the answer must be `bytea`, and the first is
   * not null.
   */
  readonly byteTable?: string;
}

/** Values stay as the server sent them: `pg` would make objects of them. */
const asText = { getTypeParser: () => (text: string) => text };

/** A COPY under way: its server receives the bytes that are written to it. */
type CopyStream = Writable & Submittable;

export class Connection {
  readonly #client: Client;
  readonly #queue = new SerialQueue();
  /** The texts of statements that the server keeps → their names there. */
  readonly #kept = new Map<string, string>();
  #isLost = false;

  private constructor(client: Client) {
    this.#client = client;
    client.on("error", () => {
      this.#isLost = true;
    });
    client.on("end", () => {
      this.#isLost = true;
    });
  }

  /**
   * Connects.
   *
   * @param settings statements that prepare the session, separated by semicolons
   * @throws MerostoreError SERVER_UNREACHABLE, ACCESS_DENIED, TLS_FAILED, DATABASE_NOT_FOUND
   */
  static async open(place: PostgresLocation, settings: string): Promise<Connection> {
    const { host, port, user, database, connectTimeout } = place;
    try {
      const ssl = await tlsOf(place);
      const client = new pg.Client({
        ...{ host, port, user, database, ssl },
        password: async () => (await passwordOf(place)) ?? (undefined as unknown as string),
        connectionTimeoutMillis: 1000 * connectTimeout,
        keepAlive: true,
        application_name: "merostore",
        types: asText,
      });
      const connection = new Connection(client);
      await client.connect();
      if (settings !== "") await connection.run(settings);
      return connection;
    } catch (error) {
      throw connectError(error, place);
    }
  }

  /** True if the connection is lost or closed. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Runs a statement after all earlier statements. */
  query({ text, values = [], isKept = false, byteTable }: Statement): Promise<Answer> {
    const query = {
      text,
      values: [...values],
      rowMode: "array",
      ...(isKept ? { name: this.#nameOf(text) } : {}),
    };
    return this.#queue.run(async () => {
      const { command, rows, fields } = await this.#client.query<(string | null)[]>(
        query as { text: string; rowMode: "array" },
      );
      // Another program may have made the table: its texts and numbers would be read as hex digits.
      if (byteTable !== undefined && !(fields.every(isBytes) && rows.every(([key]) => key !== null)))
        throw new MerostoreError(
          "DATABASE_DAMAGED",
          `the table ${byteTable} does not belong to a column family: it must have the columns key and value of type bytea`,
        );
      return { command, rows };
    });
  }

  #nameOf(text: string): string {
    let name = this.#kept.get(text);
    if (name === undefined) {
      name = `merostore_${this.#kept.size}`;
      this.#kept.set(text, name);
    }
    return name;
  }

  /** Runs statements without values, separated by semicolons, in one round. */
  async run(text: string): Promise<void> {
    await this.#queue.run(() => this.#client.query(text));
  }

  /** Runs a COPY: `feed` writes to the stream and ends it. */
  copy(stream: CopyStream, feed: () => Promise<void>): Promise<void> {
    return this.#queue.run(async () => {
      this.#client.query(stream);
      await feed();
    });
  }

  /** Closes it. Never fails. */
  async end(): Promise<void> {
    const wasLost = this.#isLost;
    this.#isLost = true;
    const ending = this.#client.end().catch(() => undefined);
    if (!wasLost) await ending;
  }
}

function isBytes({ dataTypeID }: FieldDef): boolean {
  return dataTypeID === BYTEA;
}

/** The options for `node:tls`; false without TLS. */
async function tlsOf({
  sslMode,
  sslRootCert,
  host,
  shown,
}: PostgresLocation): Promise<ConnectionOptions | false> {
  if (sslMode === "disable") return false;
  const ca = sslRootCert === undefined ? undefined : await readRoots(sslRootCert, shown);
  const trust = ca === undefined ? {} : { ca };
  if (sslMode === "require")
    return { ...trust, rejectUnauthorized: ca !== undefined, checkServerIdentity: () => undefined };
  if (sslMode === "verify-ca")
    return { ...trust, rejectUnauthorized: true, checkServerIdentity: () => undefined };
  return {
    ...trust,
    rejectUnauthorized: true,
    checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate),
  };
}

async function readRoots(path: string, shown: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new MerostoreError("TLS_FAILED", `the sslrootcert of ${shown}, ${path}, cannot be read`, { cause });
  }
}
