/** The parts of the package `@duckdb/node-api` that merostore uses, and its loading. */
import { createRequire } from "node:module";
import { loadNative, type OptionalPackage } from "../lsm/optional-package.js";

/** The module of the package. */
export type DuckDB = typeof import("@duckdb/node-api");

/** A vector of DuckDB: the values of one column in a chunk. */
export interface Vector {
  readonly __duckdb_type: "duckdb_vector";
}

/** A chunk of DuckDB, below the package's class of that name. */
export type Chunk = InstanceType<DuckDB["DuckDBDataChunk"]>["chunk"];

/** The functions of the package below `@duckdb/node-api` that fill chunks without an object for each value. */
export interface Bindings {
  data_chunk_get_vector(chunk: Chunk, column: number): Vector;
  data_chunk_reset(chunk: Chunk): void;
  data_chunk_set_size(chunk: Chunk, rows: number): void;
  vector_assign_string_element_len(vector: Vector, at: number, text: Uint8Array): void;
  copy_data_to_vector(vector: Vector, to: number, from: ArrayBuffer, offset: number, length: number): void;
  vector_ensure_validity_writable(vector: Vector): void;
  copy_data_to_vector_validity(
    vector: Vector,
    to: number,
    from: ArrayBuffer,
    offset: number,
    length: number,
  ): void;
  list_vector_get_child(vector: Vector): Vector;
  list_vector_reserve(vector: Vector, values: number): void;
  list_vector_set_size(vector: Vector, values: number): void;
  struct_vector_get_child(vector: Vector, field: number): Vector;
}

/** The loaded DuckDB. */
export interface LoadedDuckDB {
  readonly duckdb: DuckDB;
  readonly bindings: Bindings;
}

/** A variable, so that bundlers do not look for the package. */
const PACKAGE: string = "@duckdb/node-api";

/** The newest version with binaries for all platforms. */
const optional: OptionalPackage = { spec: "@duckdb/node-api@1.5.5-r.5" };

/** Loads DuckDB. @throws MerostoreError NATIVE_LOAD_FAILED with the package to install */
export function loadDuckDB(): Promise<LoadedDuckDB> {
  return loadNative(optional, async () => {
    // A CommonJS package: the default export always has its names, even if Node does not detect them.
    const loaded = (await import(PACKAGE)) as DuckDB & { readonly default?: DuckDB };
    const duckdb = loaded.default?.DuckDBInstance === undefined ? loaded : loaded.default;
    const here = createRequire(import.meta.url);
    // The bindings package is a dependency of the other one, and may not be resolvable from here.
    const bindings = createRequire(here.resolve(PACKAGE))("@duckdb/node-bindings") as Bindings;
    return { duckdb, bindings };
  });
}
