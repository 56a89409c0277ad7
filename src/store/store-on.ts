import type { Engine } from "../engine/engine.js";
import { MerostoreError } from "../errors.js";
import { checkOptions, isFlag, type OptionChecks } from "../options.js";
import { detectRevision, type KnownSchema, Schema, undetected } from "../schemas/index.js";
import { Store } from "./store.js";

/** How the revision of a database is found where it is not named. */
export interface DetectionOptions {
  /** Look at every row to find the revision, not only at the first ones of each family. */
  readonly thorough?: boolean | undefined;
}

/** The schema of a store, where its caller names it. */
export interface SchemaOption {
  /** The revision in which rows are read and written; found from the rows unless given. */
  readonly schema?: Schema | undefined;
}

/** What the options of {@link storeOn} may hold. */
export const storeOptions: OptionChecks<DetectionOptions & SchemaOption> = {
  thorough: isFlag,
  schema: (value) => (value instanceof Schema ? undefined : "a schema, core011 for example"),
};

/**
 * A store on an engine that is open: `openStore` without a folder. Nothing here needs Node, so this is what a browser
 * uses. Closing the store closes the engine.
 *
 * @throws MerostoreError `REVISION_UNKNOWN`, `REVISION_AMBIGUOUS`, `INVALID_ARGUMENT`
 * @example
 * const store = await storeOn(await openFiles(pickedFiles(input.files ?? [])));
 */
export function storeOn<S extends Schema>(
  engine: Engine,
  options: DetectionOptions & { readonly schema: S },
): Promise<Store<S>>;
export function storeOn(
  engine: Engine,
  options?: DetectionOptions & SchemaOption,
): Promise<Store<KnownSchema>>;
export async function storeOn(engine: Engine, options: DetectionOptions & SchemaOption = {}): Promise<Store> {
  checkOptions("storeOn", options, storeOptions);
  if (typeof engine?.getMany !== "function")
    throw new MerostoreError("INVALID_ARGUMENT", "expected the path of a database, or an engine");
  if (options.schema !== undefined) return new Store(engine, options.schema);
  const detection = await detectRevision(engine, { thorough: options.thorough });
  if (detection.revision === undefined) throw undetected(detection);
  return new Store(engine, detection.revision as Schema, detection);
}
