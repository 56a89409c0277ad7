/** Opens a separate DuckDB for each use. It reaches only the files of its temporary folder. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { withMessage } from "../disk/sync-folder.js";
import { type LoadedDuckDB, loadDuckDB } from "./binding.js";

/**
 * Bytes of memory of a DuckDB, unless the caller names another number: tables that are larger go to temporary files.
 */
export const MEMORY_BYTES = 512 * 1024 * 1024;

/** The fewest bytes of memory with which it works. */
export const LEAST_BYTES = 64 * 1024 * 1024;

/** An open DuckDB in memory. */
export interface OpenDuckDB extends AsyncDisposable {
  readonly loaded: LoadedDuckDB;
  /** Its folder for temporary files, removed with it. */
  readonly folder: string;
  connect(): Promise<DuckDBConnection>;
}

/**
 * Opens a DuckDB in memory.
 *
 * @param files whether statements may reach files; only for this package's own statements
 * @param threads one for each processor unless given; with one, writing files takes the least memory
 */
export async function openDuckDB(memoryBytes: number, files: boolean, threads?: number): Promise<OpenDuckDB> {
  const loaded = await loadDuckDB();
  const folder = await withMessage("a folder for temporary files (TMPDIR) cannot be created", () =>
    mkdtemp(join(tmpdir(), "merostore-sql-")),
  );
  const connections: DuckDBConnection[] = [];
  let instance: DuckDBInstance | undefined;
  const close = async (): Promise<void> => {
    for (const connection of connections) connection.closeSync();
    instance?.closeSync();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const opened = await loaded.duckdb.DuckDBInstance.create(":memory:", {
      temp_directory: folder,
      memory_limit: `${Math.floor(memoryBytes / 1_000)}kB`,
      enable_external_access: String(files),
      // One thread keeps the order of rows without this setting, and with it DuckDB refuses row groups of a size in
      // bytes.
      ...(threads !== undefined && {
        threads: String(threads),
        preserve_insertion_order: String(threads > 1),
      }),
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
      allow_community_extensions: "false",
    });
    instance = opened;
    const connect = async (): Promise<DuckDBConnection> => {
      const connection = await opened.connect();
      connections.push(connection);
      return connection;
    };
    await (await connect()).run("SET lock_configuration = true");
    return { loaded, folder, connect, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Interrupts the work of a connection when a signal aborts, until it is disposed. */
export function interrupting(connection: DuckDBConnection, signal: AbortSignal | undefined): Disposable {
  const interrupt = (): void => connection.interrupt();
  signal?.addEventListener("abort", interrupt);
  return { [Symbol.dispose]: () => signal?.removeEventListener("abort", interrupt) };
}
