import type { Engine } from "../engine/engine.js";
import { MerostoreError } from "../errors.js";
import { checkOptions, isFlag, type OptionChecks } from "../options.js";
import { detectRevision, type KnownSchema, Schema, undetected } from "../schemas/index.js";
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

/** The checks of the options of {@link storeOn}. */
export const storeOptions: OptionChecks<DetectionOptions & SchemaOption> = {
  thorough: isFlag,
  schema: (value) => (value instanceof Schema ? undefined : "a schema, core011 for example"),
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
