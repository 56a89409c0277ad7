/**
 * The URLs of databases on PostgreSQL servers: `postgres://user@host:5432/database?node=berlin-1&sslmode=verify-full`.
 */

import { userInfo } from "node:os";
import { resolve } from "node:path";
import { invalidArgument, withoutSecrets } from "merostore/internal";

/** The modes of TLS: `disable` is without TLS, `require` does not check the certificate, the others do. */
export const sslModes = ["disable", "require", "verify-ca", "verify-full"] as const;

/** One of {@link sslModes}. */
export type SslMode = (typeof sslModes)[number];

/** The parts of a URL. */
export interface PostgresLocation {
  /** A name, an address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** The name of the database on the server. */
  readonly database: string;
  /** Undefined if the URL has none: the environment or the password file may have it. Never in a message. */
  readonly password: string | undefined;
  /** The node: a database of a server has the rows of many nodes. */
  readonly node: string;
  readonly sslMode: SslMode;
  /** The file with the root certificates for the server's certificate; undefined for the system's. */
  readonly sslRootCert: string | undefined;
  /** The most seconds for connecting. */
  readonly connectTimeout: number;
  /** The URL for people: without user and password. */
  readonly shown: string;
}

/** The node of a URL that names none. */
const DEFAULT_NODE = "default";
/** The most bytes of a node's name: with the prefix of the schema, they reach PostgreSQL's limit of 63. */
const LONGEST_NODE = 53;
const DEFAULT_PORT = 5432;
const DEFAULT_TIMEOUT = 15;

const parameters = ["node", "sslmode", "sslrootcert", "connect_timeout"] as const;

/**
 * Reads a URL. Missing parts come from PGHOST, PGPORT, PGUSER, PGDATABASE, PGSSLMODE and PGSSLROOTCERT, as in
 * PostgreSQL's own programs.
 *
 * @throws MerostoreError INVALID_ARGUMENT; no message has the password
 */
export function parsePostgresUrl(location: string, environment = process.env): PostgresLocation {
  const shown = withoutSecrets(location);
  // The error of URL contains the whole text, which may have a password.
  if (!URL.canParse(location))
    throw invalidArgument(`${shown} is not a URL like postgres://user@host:5432/database?node=name`);
  const url = new URL(location);
  for (const name of url.searchParams.keys())
    if (!parameters.includes(name as never))
      throw invalidArgument(
        `${shown} has the parameter ${JSON.stringify(name.replace(/^.*@/s, "…@"))}; the known ones are ${parameters.join(", ")}`,
      );
  for (const name of parameters)
    if (url.searchParams.getAll(name).length > 1)
      throw invalidArgument(`${shown} has the parameter ${name} more than once`);
  const given = (name: (typeof parameters)[number]): string | undefined =>
    url.searchParams.get(name) || undefined;
  const user = decoded(url.username, shown) || environment.PGUSER || userInfo().username;
  const path = url.pathname.replace(/^\//, "");
  if (path.includes("/"))
    throw invalidArgument(
      `${shown} names more than one database: the path has a slash; one in a name is written %2F`,
    );
  const rootCert = given("sslrootcert") ?? (environment.PGSSLROOTCERT || undefined);
  return {
    host: decoded(url.hostname, shown).replace(/^\[(.*)\]$/, "$1") || environment.PGHOST || "localhost",
    port: checkPort(url.port || environment.PGPORT, shown),
    user,
    database: decoded(path, shown) || environment.PGDATABASE || user,
    password: decoded(url.password, shown) || undefined,
    node: checkNode(given("node") ?? DEFAULT_NODE, shown),
    sslMode: checkMode(given("sslmode") ?? (environment.PGSSLMODE || "disable"), shown),
    sslRootCert: rootCert && resolve(rootCert),
    connectTimeout: checkSeconds(given("connect_timeout"), shown),
    shown,
  };
}

function decoded(text: string, shown: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalidArgument(`${shown} has a % that does not begin two hex digits: write it as %25`);
  }
}

function checkPort(text: string | undefined, shown: string): number {
  if (!text) return DEFAULT_PORT;
  if (/^[0-9]{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535) return Number(text);
  throw invalidArgument(`the port of ${shown}, or PGPORT, must be a whole number from 1 to 65535`);
}

function checkNode(node: string, shown: string): string {
  if (new TextEncoder().encode(node).length <= LONGEST_NODE && !node.includes("\0")) return node;
  throw invalidArgument(
    `the name of the node in ${shown} must have at most ${LONGEST_NODE} bytes, and no NUL`,
  );
}

function checkMode(mode: string, shown: string): SslMode {
  const found = sslModes.find((known) => known === mode);
  if (found !== undefined) return found;
  throw invalidArgument(
    `the sslmode of ${shown} must be one of ${sslModes.join(", ")}: with any other it is up to the server whether the connection is encrypted`,
  );
}

function checkSeconds(text: string | undefined, shown: string): number {
  if (text === undefined) return DEFAULT_TIMEOUT;
  const seconds = Number(text);
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= 3600) return seconds;
  throw invalidArgument(`the connect_timeout of ${shown} must be a whole number of seconds from 1 to 3600`);
}
