/**
 * PostgreSQL, and systems that speak its protocol: many nodes on one server, several writers, synced writes. The packages `pg`
 * and `pg-copy-streams` are loaded when a database is opened.
 *
 * @module
 */

export {
  fillPostgres,
  type NewPostgresDatabase,
  openPostgresEngine,
  type PostgresEngineOptions,
} from "./open.js";
export { isPostgresUrl } from "./url.js";
