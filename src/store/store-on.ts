import type { Engine } from "../engine/engine.js";
import { MerostoreError } from "../errors.js";
import { checkOptions, isFlag, type OptionChecks } from "../options.js";
import { detectRevision, type KnownSchema, Schema, undetected } from "../schemas/index.js";
import type { SyncOptions } from "./batch.js";
import { Store } from "./store.js";

/** Options of the detection of the revision. */
export interface DetectionOptions {
  /** Examine every row to detect the revision, instead of the first rows of each family. */
  readonly thorough?: boolean | undefined;
}

/** The option that names the schema of a store. */
export interface SchemaOption {
  /** The revision in which rows are read and written; found from the rows unless given. */
  readonly schema?: Schema | undefined;
}

/** Options of {@link storeOn}. */
export interface StoreOptions extends DetectionOptions {
  /**
   * Sync every write that does not say otherwise: it then survives a power failure, with all writes before it, where
   * `capabilities.syncedWrites` is true.
   */
  readonly sync?: SyncOptions["sync"];
}

/** The checks of the options of {@link storeOn}. */
export const storeOptions: OptionChecks<StoreOptions & SchemaOption> = {
  thorough: isFlag,
  schema: (value) => (value instanceof Schema ? undefined : "a schema, core011 for example"),
  sync: isFlag,
};

/**
 * Creates a store on an open engine. It does not need Node, so it also works in browsers. Closing the store closes the
 * engine.
 *
 * @throws MerostoreError `REVISION_UNKNOWN`, `REVISION_AMBIGUOUS`, `INVALID_ARGUMENT`
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
    throw new MerostoreError("INVALID_ARGUMENT", "expected the path of a database, or an engine");
  const { sync } = options;
  if (sync && !engine.capabilities.writable)
    throw new MerostoreError(
      "INVALID_ARGUMENT",
      "sync is for writing: open the database with writable: true",
    );
  if (options.schema !== undefined) return new Store(engine, options.schema, undefined, { sync });
  const detection = await detectRevision(engine, { thorough: options.thorough });
  if (detection.revision === undefined) throw undetected(detection);
  return new Store(engine, detection.revision as Schema, detection, { sync });
}
