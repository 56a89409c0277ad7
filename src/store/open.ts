import {
  checkKeyForWriting,
  encryptionOptions,
  masterKeyBytes,
  ruleOfRevision,
} from "../encryption/index.js";
import type { Engine } from "../engine/engine.js";
import {
  absoluteLocation,
  type EngineOptions,
  engineOptions,
  isLocation,
  openEngine,
  type PathOrUrl,
} from "../engines/open.js";
import { invalidArgument, isMerostoreError } from "../errors.js";
import { checkOptions, isOneOf, type OptionChecks } from "../options.js";
import type { KnownSchema, Schema } from "../schemas/index.js";
import type { Store } from "./store.js";
import { type SchemaOption, type StoreOptions, storeOn, storeOptions } from "./store-on.js";

export type { PathOrUrl } from "../engines/open.js";

const { writable, acceptLogLoss, engine, checksums, cacheBytes, nodeIsStopped, families } = engineOptions;
const { masterKey: _key, encryptionRule: _rule, addColumns, ...plainOptions } = storeOptions;
const openOptions: OptionChecks<OpenOptions & SchemaOption> = {
  ...plainOptions,
  ...{ writable, acceptLogLoss, engine, checksums, cacheBytes, nodeIsStopped, families },
  create: isOneOf([true, false, "if missing"]),
  addColumns,
  ...encryptionOptions,
};

/** Options of {@link openStore}. By default, an existing database is opened for reading. */
export interface OpenOptions
  extends StoreOptions,
    Pick<
      EngineOptions,
      "writable" | "acceptLogLoss" | "engine" | "checksums" | "cacheBytes" | "nodeIsStopped" | "families"
    > {
  /**
   * Create a new, empty database with the column families of the schema, open for writing. Requires `schema`. With
   * `true`, an existing database is refused with DATABASE_EXISTS; with `if missing`, it is opened for writing.
   */
  readonly create?: boolean | "if missing" | undefined;
}

/**
 * Opens a node's database: a folder as a path or a `file:` URL, the URL of a database on a server (`https://…`,
 * `postgres://…`), or an open engine. Without `schema`, the revision is detected from the rows; it is never guessed.
 *
 * @throws MerostoreError `DATABASE_NOT_FOUND`, `NOT_A_DATABASE`, `DATABASE_LOCKED`, `DATABASE_DAMAGED`, `LOG_DAMAGED`,
 *   `DATABASE_EXISTS`, `DATABASE_ENCRYPTED`, `WRONG_KEY`, `FORMAT_UNSUPPORTED`, `NATIVE_LOAD_FAILED`,
 *   `REVISION_UNKNOWN`, `REVISION_AMBIGUOUS`, `INVALID_ARGUMENT`, also for writing in another revision than the
 *   database has; of a server `SERVER_UNREACHABLE`, `ACCESS_DENIED`, `TLS_FAILED`
 * @example
 * await using store = await openStore("node/data");
 * for await (const { key, value } of store.table(ContextMeta).scan()) console.log(`${key}`, value);
 */
export function openStore<S extends Schema>(
  location: PathOrUrl | Engine,
  options: OpenOptions & { readonly schema: S },
): Promise<Store<S>>;
export function openStore(
  location: PathOrUrl | Engine,
  options?: OpenOptions & { readonly create?: false | undefined; readonly schema?: undefined },
): Promise<Store<KnownSchema>>;
export async function openStore(
  location: PathOrUrl | Engine,
  options: OpenOptions & SchemaOption = {},
): Promise<Store> {
  checkOptions("openStore", options, openOptions);
  if (options.create && options.schema === undefined) {
    throw invalidArgument(
      "a new database needs a schema: openStore(path, { create: true, schema: core010 })",
    );
  }
  const { schema, thorough, addColumns, sync, masterKey, encryptionRule, create, ...folder } = options;
  const store = { schema, thorough, addColumns, sync, masterKey, encryptionRule };
  if (!isLocation(location)) {
    const given = Object.entries({ create, ...folder }).flatMap(([name, value]) =>
      value === undefined ? [] : [name],
    );
    if (given.length > 0)
      throw invalidArgument(
        `these options of openStore have no effect on an engine that is already open: ${given.join(", ")}`,
      );
    return storeOn(location, store);
  }
  const made = create ? { create: true, columns: schema?.columns ?? [], revision: schema?.name } : {};
  const place = masterKey === undefined ? location : absoluteLocation(location);
  // First, because the function may fail, and a node may refuse the key.
  const key = masterKey === undefined ? undefined : await masterKeyBytes(masterKey);
  try {
    if (key !== undefined && create) checkKeyForWriting(key, encryptionRule ?? ruleOfRevision(schema?.name));
    const opened = await openEngine(place, { ...folder, ...made }).catch((error: unknown) => {
      if (create !== "if missing" || !isMerostoreError(error, "DATABASE_EXISTS")) throw error;
      return openEngine(place, { ...folder, writable: true });
    });
    try {
      return await storeOn(opened, { ...store, masterKey: key });
    } catch (error) {
      await opened.close(); // the caller has no reference to it
      throw error;
    }
  } finally {
    key?.fill(0);
  }
}
