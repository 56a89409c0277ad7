/** The root of a state: the bytes of the application's struct. */
import { equalBytes } from "../bytes/order.js";
import { applicationStateId } from "../digests/index.js";
import { StateCollection } from "./collections/collection.js";
import type { Scope } from "./collections/scope.js";
import { fieldsOfStruct, type StateField, type Struct } from "./fields.js";
import { fieldsOfRows } from "./fields-of-rows.js";
import { fieldsOfJavaScript } from "./javascript.js";
import { Damage } from "./layouts/layout.js";
import type { Manifest } from "./manifest/manifest.js";
import { ROOT_PATH } from "./path.js";
import { problem, type StateProblem } from "./problem.js";

/** The root of a state, before its fields are read. */
export interface FoundRoot {
  /** The struct; undefined if the bytes or their type are not known. */
  readonly struct: Struct | undefined;
  /** The entry of the root; undefined without an entry. */
  readonly stored: Uint8Array | undefined;
  /** The bytes of the struct; undefined without bytes. */
  readonly data: Uint8Array | undefined;
  /** The problems of the root. */
  readonly problems: readonly StateProblem[];
}

/** Finds the root of a state. */
export async function findRoot(scope: Scope, manifest: Manifest | undefined): Promise<FoundRoot> {
  const id = applicationStateId();
  const [found] = await scope.rows.data({ row: await scope.rows.index(scope.rows.contextId) }, [id]);
  const stored = found instanceof Damage ? undefined : found;
  const problems: StateProblem[] = [];
  const data = stored?.subarray(0, Math.max(0, stored.length - 32));
  if (found instanceof Damage) problems.push(problem("TreeMismatch", ROOT_PATH, found.message, found.raw));
  else if (stored === undefined)
    problems.push(problem("RootMissing", ROOT_PATH, "the state has no root: it may not be complete"));
  else if (!equalBytes(stored.subarray(-32), id))
    problems.push(problem("ElementIdMismatch", ROOT_PATH, "the state does not end with its id", stored));
  const name = manifest?.stateRoot;
  const type = name === undefined ? undefined : scope.types.named(name);
  if (manifest !== undefined && type?.kind !== "record")
    problems.push(
      problem("AbiNoStateRoot", ROOT_PATH, "the manifest does not name a record as the type of the state"),
    );
  const isKnown = type?.kind === "record" && data !== undefined && problems.length === 0;
  const struct = isKnown ? { type, bytes: data, path: ROOT_PATH, isNamed: true } : undefined;
  return { struct, stored, data, problems };
}

/** The fields of a state, and the problems of its root. */
export interface Root {
  /** The fields, in the order of their bytes. */
  readonly fields: readonly StateField[];
  /** The problems of the root. */
  readonly problems: readonly StateProblem[];
}

/** Reads the fields of a state: from the bytes of its struct, or else from the rows of its collections. */
export async function readRoot(scope: Scope, manifest: Manifest | undefined): Promise<Root> {
  const { struct, data, problems, stored } = await findRoot(scope, manifest);
  const javaScript = await fieldsOfJavaScript(scope, stored);
  if (javaScript !== undefined)
    return {
      fields: await opened(javaScript),
      problems: problems.filter(({ name }) => name === "RootMissing"),
    };
  if (struct === undefined) return { fields: await opened(await fieldsOfRows(scope, data)), problems };
  const { fields, problem: wrong } = await fieldsOfStruct(scope, struct);
  return { fields: await opened(fields), problems: wrong === undefined ? problems : [...problems, wrong] };
}

/** Returns fields with the problems of their collections. */
async function opened(fields: readonly StateField[]): Promise<readonly StateField[]> {
  return Promise.all(
    fields.map(async (field) =>
      field.value instanceof StateCollection
        ? { ...field, problem: field.problem ?? (await field.value.problem()) }
        : field,
    ),
  );
}
