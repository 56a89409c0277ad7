/**
 * PostgreSQL, and systems that speak its protocol, as an engine of merostore: many nodes on one server, several
 * writers, synced writes. `openStore` and the command line open `postgres://` URLs with it, if it is installed.
 *
 * @example
 * import { openStore } from "merostore";
 *
 * await using store = await openStore("postgres:///nodes?node=berlin-1");
 *
 * @module
 */

export { fillPostgres, openPostgresEngine, type PostgresEngineOptions } from "./open.js";
