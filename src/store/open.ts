import type { Engine } from "../engine/engine.js";
import { openRocksEngine } from "../engine/rocksdb/index.js";
import { MerostoreError } from "../errors.js";
import { undetected } from "../schemas/detect.js";
import { detectRevision, type KnownRows, type RowsOf, type Schema } from "../schemas/index.js";
import { Store } from "./store.js";

/** How a database is opened. Without options: an existing one, for reading and writing. */
export interface OpenOptions {
  /** Open without changing anything on disk, also beside a running node, whose later writes do not show. */
  readonly readOnly?: boolean | undefined;
  /** Make a new, empty database with the schema's column families. Needs `schema`. */
  readonly create?: boolean | undefined;
  /** Open for writing even if the write-ahead log ends in damage: what follows the damage is lost for good. */
  readonly acceptLogLoss?: boolean | undefined;
  /** Look at every row to find the revision, not only at the first ones of each family. */
  readonly thorough?: boolean | undefined;
}

/**
 * Opens a node's database: a RocksDB folder, or an engine that is open already.
 * Without `schema` the revision is detected from the rows, and never guessed.
 *
 * @throws MerostoreError `DATABASE_NOT_FOUND`, `NOT_A_DATABASE`, `DATABASE_LOCKED`, `DATABASE_DAMAGED`, `LOG_DAMAGED`,
 *   `DATABASE_EXISTS`, `NATIVE_LOAD_FAILED`, `REVISION_UNKNOWN`, `REVISION_AMBIGUOUS`
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
  const { readOnly, create, acceptLogLoss } = options;
  if (typeof location !== "string" && (readOnly || create || acceptLogLoss)) {
    throw new MerostoreError(
      "INVALID_ARGUMENT",
      "readOnly, create and acceptLogLoss say how to open a folder; an engine is open already",
    );
  }
  if (typeof location !== "string" && typeof location?.getMany !== "function") {
    throw new MerostoreError("INVALID_ARGUMENT", "expected the path of a database, or an engine");
  }
  const engine =
    typeof location === "string"
      ? await openRocksEngine(location, {
          readOnly: options.readOnly,
          create: options.create ? { columns: options.schema?.columns ?? [] } : undefined,
          acceptLogLoss: options.acceptLogLoss,
        })
      : location;
  if (options.schema !== undefined) return new Store(engine, options.schema);
  try {
    const detection = await detectRevision(engine, options);
    if (detection.revision === undefined) throw undetected(detection);
    return new Store(engine, detection.revision as Schema, detection);
  } catch (error) {
    // An engine that was opened here is closed here.
    if (typeof location === "string") await engine.close();
    throw error;
  }
}
