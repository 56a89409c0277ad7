import {
  type EncryptionOptions,
  encryptionOptions,
  openEncrypted,
  openWithoutKey,
} from "../encryption/index.js";
import type { Engine } from "../engine/engine.js";
import { invalidArgument, MerostoreError } from "../errors.js";
import { checkOptions, isFlag, type OptionChecks } from "../options.js";
import {
  checkWritten,
  detectRevision,
  type KnownSchema,
  revisions,
  Schema,
  undetected,
} from "../schemas/index.js";
import type { SyncOptions } from "./batch.js";
import { Store } from "./store.js";

/** Options for the detection of the revision. */
export interface DetectionOptions {
  /** Examine every row to detect the revision, instead of the first rows of each family. */
  readonly thorough?: boolean | undefined;
}

/** The option that names the schema of a store. */
export interface SchemaOption {
  /**
   * The revision for reading and writing rows. By default it is detected from the rows. For writing, a known revision
   * must fit the rows, if they show a revision.
   */
  readonly schema?: Schema | undefined;
}

/** Options of {@link storeOn}. */
export interface StoreOptions extends DetectionOptions, EncryptionOptions {
  /**
   * Add the column families of the schema that the database lacks, for a new version of your own schema. Requires
   * `schema` and writing. A node's database is refused, because a node does not open a database with additional
   * families.
   */
  readonly addColumns?: boolean | undefined;
  /**
   * The default for the option `sync` of writes. If `capabilities.syncedWrites` is true, a synced write and all earlier
   * writes survive a power failure.
   */
  readonly sync?: SyncOptions["sync"];
}

/** The checks of the options of {@link storeOn}. */
export const storeOptions: OptionChecks<StoreOptions & SchemaOption> = {
  thorough: isFlag,
  schema: (value) => (value instanceof Schema ? undefined : "a schema, core011 for example"),
  sync: isFlag,
  addColumns: isFlag,
  ...encryptionOptions,
};

/**
 * Creates a store on an open engine. It does not need Node, so it also works in browsers. Closing the store closes the
 * engine. With a schema and without the master key, an encrypted database opens for reading: rows whose value may be
 * encrypted have an error.
 *
 * @throws MerostoreError `REVISION_UNKNOWN`, `REVISION_AMBIGUOUS`, `INVALID_ARGUMENT`, `DATABASE_ENCRYPTED`,
 *   `WRONG_KEY`
 * @example
 * const store = await storeOn(await openFiles(pickedFiles(input.files ?? [])));
 */
export function storeOn<S extends Schema>(
  engine: Engine,
  options: StoreOptions & { readonly schema: S },
): Promise<Store<S>>;
export function storeOn(engine: Engine, options?: StoreOptions & SchemaOption): Promise<Store<KnownSchema>>;
export async function storeOn(engine: Engine, options: StoreOptions & SchemaOption = {}): Promise<Store> {
  checkOptions("storeOn", options, storeOptions);
  if (typeof engine?.getMany !== "function")
    throw invalidArgument("expected the path of a database, or an engine");
  const { sync, masterKey, encryptionRule, addColumns } = options;
  if (sync && !engine.capabilities.writable)
    throw invalidArgument("sync is for writing: open the database with writable: true");
  if (addColumns && (options.schema === undefined || !engine.capabilities.writable))
    throw invalidArgument(
      "addColumns needs a schema, and is for writing: open the database with schema and writable: true",
    );
  if (masterKey === undefined) {
    if (encryptionRule !== undefined)
      throw invalidArgument("encryptionRule has an effect only with masterKey");
    return plainStore(await openWithoutKey(engine), options);
  }
  const encryption = { masterKey, encryptionRule };
  const revision = options.schema?.name;
  return plainStore(await openEncrypted(engine, encryption, revision), options);
}

/** Creates a store on an engine that returns plain values. */
async function plainStore(
  engine: Engine,
  { schema, thorough, addColumns, sync }: StoreOptions & SchemaOption,
): Promise<Store> {
  if (schema !== undefined) {
    if (engine.capabilities.writable) await checkWritten(engine, schema);
    if (addColumns) await addMissingColumns(engine, schema);
    return new Store(engine, schema, undefined, { sync });
  }
  const detection = await detectRevision(engine, { thorough });
  if (detection.revision === undefined) throw undetected(detection);
  if (detection.assumed && engine.capabilities.writable)
    throw new MerostoreError("REVISION_AMBIGUOUS", `${detection.reason}; for writing, name the revision`);
  return new Store(engine, detection.revision as Schema, detection, { sync });
}

/** @throws MerostoreError INVALID_ARGUMENT for a node's database, and for an engine that cannot add column families */
async function addMissingColumns(engine: Engine, schema: Schema): Promise<void> {
  const has = (column: string): boolean => engine.columns.includes(column);
  const missing = schema.columns.filter((column) => !has(column));
  if (missing.length === 0) return;
  const refuse = (reason: string) =>
    invalidArgument(`the column families ${missing.join(", ")} cannot be added: ${reason}`);
  const all: readonly Schema[] = revisions;
  if (all.some(({ columns }) => columns.every(has)))
    throw refuse("the database belongs to a node, which refuses to open others than its own");
  const others = engine.columns.filter((column) => column !== "default" && !schema.columns.includes(column));
  if (all.includes(schema) && others.length > 0)
    throw refuse(`a node refuses the column families ${others.join(", ")}, which the database has`);
  const { engine: name } = engine.capabilities;
  if (engine.addColumns === undefined)
    throw refuse(`the engine ${name} does not add any; open the database once with the engine files`);
  await engine.addColumns(missing);
}
