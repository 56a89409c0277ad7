/**
 * SQL over the rows of one or several databases, and their export to Parquet, with DuckDB. The package
 * `@duckdb/node-api` is loaded when a database is opened.
 *
 * @module
 */

export { SqlAnswer, type SqlColumn } from "./answer.js";
export { exportParquet, type ParquetOptions, type ParquetSummary } from "./parquet.js";
export { parquetOf } from "./parquet-answer.js";
export { openSql, SqlDatabase, type SqlOptions, type SqlTable } from "./sql-database.js";
export type { SqlValue } from "./value.js";
