import type { Engine } from "../engine/engine.js";
import { type EngineOptions, openEngine } from "../engine/open.js";
import { MerostoreError } from "../errors.js";
import type { KnownRows, RowsOf, Schema } from "../schemas/index.js";
import type { Store } from "./store.js";
import { type DetectionOptions, storeOn } from "./store-on.js";

/** How a database is opened. Without options: an existing one, for reading and writing. */
export interface OpenOptions
  extends DetectionOptions,
    Pick<EngineOptions, "readOnly" | "acceptLogLoss" | "engine" | "checksums" | "cacheBytes"> {
  /** Make a new, empty database with the schema's column families. Needs `schema`. */
  readonly create?: boolean | undefined;
}

/**
 * Opens a node's database: a RocksDB folder, or an engine that is open already.
 * Without `schema` the revision is detected from the rows, and never guessed.
 *
 * @throws MerostoreError `DATABASE_NOT_FOUND`, `NOT_A_DATABASE`, `DATABASE_LOCKED`, `DATABASE_DAMAGED`, `LOG_DAMAGED`,
 *   `DATABASE_EXISTS`, `FORMAT_UNSUPPORTED`, `NATIVE_LOAD_FAILED`, `REVISION_UNKNOWN`, `REVISION_AMBIGUOUS`
 * @example
 * await using store = await openStore("node/data", { readOnly: true });
 * for await (const { key, value } of store.scan(GroupMember)) console.log(`${key}`, value);
 */
export function openStore<S extends Schema>(
  location: string | Engine,
  options: OpenOptions & { readonly schema: S },
): Promise<Store<RowsOf<S>>>;
export function openStore(
  location: string | Engine,
  options?: OpenOptions & { readonly create?: false | undefined; readonly schema?: undefined },
): Promise<Store<KnownRows>>;
export async function openStore(
  location: string | Engine,
  options: OpenOptions & { readonly schema?: Schema | undefined } = {},
): Promise<Store> {
  if (options.create && options.schema === undefined) {
    throw new MerostoreError(
      "INVALID_ARGUMENT",
      "a new database needs a schema: openStore(path, { create: true, schema: core010 })",
    );
  }
  const { readOnly, create, acceptLogLoss, engine, checksums, cacheBytes } = options;
  if (typeof location !== "string") {
    const given = [engine, checksums, cacheBytes].some((option) => option !== undefined);
    if (readOnly || create || acceptLogLoss || given) {
      throw new MerostoreError(
        "INVALID_ARGUMENT",
        "readOnly, create, acceptLogLoss, engine, checksums and cacheBytes say how to open a folder; an engine is open already",
      );
    }
    return storeOn(location, options);
  }
  const opened = await openEngine(location, {
    readOnly,
    create: create ? { columns: options.schema?.columns ?? [] } : undefined,
    acceptLogLoss,
    engine,
    checksums,
    cacheBytes,
  });
  try {
    return await storeOn(opened, options);
  } catch (error) {
    await opened.close(); // what was opened here is closed here
    throw error;
  }
}
