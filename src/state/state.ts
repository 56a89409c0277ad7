/** The state of a context as its application sees it. */

import { copyBytes } from "../bytes/bytes.js";
import { toHex } from "../bytes/hex.js";
import { type IdLike, idBytes } from "../bytes/id.js";
import { once } from "../node/tables/once.js";
import { checkArgument, checkOptions, isFlag, isReader, type OptionChecks } from "../options.js";
import { Pause } from "../pause.js";
import type { Schema } from "../schemas/index.js";
import type { StoreReader } from "../store/browser.js";
import { liveValue } from "./collections/live.js";
import type { Scope } from "./collections/scope.js";
import { sortedIdsOf } from "./collections/sorted-index.js";
import { EntityRows } from "./entity-rows.js";
import type { StateField, Struct } from "./fields.js";
import { layoutOf } from "./layouts/layout-of.js";
import type { Manifest } from "./manifest/manifest.js";
import { parsePath } from "./path.js";
import { findPrivateStructs, type PrivateStruct, readPrivateStructs } from "./private.js";
import type { StateProblem } from "./problem.js";
import { findRoot, readRoot } from "./root.js";
import { samplesOf } from "./samples.js";
import { stepInto } from "./steps.js";
import { exclude } from "./types/exclusion.js";
import { type Hints, TypeTable } from "./types/from-manifest.js";

/** Options of {@link stateOf}: knowledge of the application that its rows do not hold. */
export interface StateOptions {
  /** The application's manifest. Without it, the Rust type names in the rows decode all but its own structs. */
  readonly manifest?: Manifest | undefined;
  /** The types that the manifest leaves open, by field: `{ "Small.b": "u16" }`. */
  readonly hints?: Hints | undefined;
  /**
   * Reads a value both as an `Option` and as a plain value wherever the manifest may leave an `Option` out: a `false`
   * that may be an absent flag is then ambiguous. By default, such a value is an `Option` only if no other reading is
   * possible.
   */
  readonly countOptions?: boolean | undefined;
  /** The types of private structs, which manifests do not have unless a person added them. */
  readonly privateTypes?: Manifest | undefined;
  /** Reads private structs too. They are secret: the default is not to read them. */
  readonly secrets?: boolean | undefined;
}

const isObject = (value: unknown): string | undefined =>
  typeof value === "object" && value !== null ? undefined : "an object";

/** @internal The checks of {@link StateOptions}. */
export const stateOptions: OptionChecks<StateOptions> = {
  manifest: isObject,
  hints: isObject,
  countOptions: isFlag,
  privateTypes: isObject,
  secrets: isFlag,
};

/**
 * Reads the state of a context: the fields of the application's state. Collections among them are lazy.
 *
 * There is no function that changes application data, on purpose. A change of one entry needs the hashes of all entities
 * above it, and a delta signed by a member: without the delta, peers undo the change when they compare hashes; with one,
 * it would be a forged write that passed none of the node's checks. Call a method of the application through a node.
 *
 * @param reader a store, a snapshot or an overlay; it stays the caller's to close
 * @param contextId 32 bytes, or their hex or base58 text
 * @throws MerostoreError `INVALID_ARGUMENT` for an id, option or hint that is wrong, and for a revision without entities
 * @example
 * const state = await stateOf(store, contextId, { manifest });
 * const items = state.field("items")?.value as StateMap;
 * (await items.get("alice"))?.value;
 */
export async function stateOf(
  reader: StoreReader<Schema>,
  contextId: IdLike,
  options: StateOptions = {},
): Promise<State> {
  checkArgument("stateOf", reader, isReader);
  checkOptions("stateOf", options, stateOptions);
  const id = idBytes(contextId);
  const layout = layoutOf(reader.schema);
  const rows = new EntityRows(reader.raw, id, layout);
  const types = new TypeTable(options.manifest, options.hints, options.countOptions, layout.forms);
  const scope = scopeOf(reader, rows, types, async (plain) => {
    const { struct } = await findRoot(plain, options.manifest);
    return struct === undefined ? [] : [struct];
  });
  const { fields, problems } = await readRoot(scope, options.manifest);
  const privateStructs =
    options.secrets === true ? await readSecrets(reader, rows, options.privateTypes ?? options.manifest) : [];
  return new State(scope, fields, problems, privateStructs);
}

/**
 * Counts the entities of a context: its index rows in State, deleted entities included. Reads the rows of its state.
 *
 * @param contextId 32 bytes
 * @throws MerostoreError `INVALID_ARGUMENT` for a revision without entities
 */
export async function countEntities(reader: StoreReader<Schema>, contextId: IdLike): Promise<number> {
  checkArgument("countEntities", reader, isReader);
  const rows = new EntityRows(reader.raw, idBytes(contextId), layoutOf(reader.schema));
  const pause = new Pause();
  let count = 0;
  for await (const chunk of rows.all()) {
    await pause.ifLong();
    count += chunk.length;
  }
  return count;
}

async function readSecrets(
  reader: StoreReader<Schema>,
  rows: EntityRows,
  manifest: Manifest | undefined,
): Promise<readonly PrivateStruct[]> {
  if (manifest === undefined) return [];
  const types = new TypeTable(manifest, {}, false, rows.layout.forms);
  const scope = scopeOf(reader, rows.in("PrivateState", "State"), types, async (plain) => {
    const found = await findPrivateStructs(plain, manifest);
    return found.map(({ struct }) => struct);
  });
  return readPrivateStructs(scope, manifest);
}

/** @param structs returns the structs that contain all values of the application */
function scopeOf(
  reader: StoreReader<Schema>,
  rows: EntityRows,
  types: TypeTable,
  structs: (scope: Scope) => Promise<readonly Struct[]>,
): Scope {
  const withDomains = (domains: Scope["domains"]): Scope => {
    const scope: Scope = {
      rows,
      types,
      domains,
      sortedIds: (collection, from) => sortedIdsOf(reader.raw, rows.contextId, collection, from),
      live: (value, path, owners) => liveValue(scope, value, path, owners),
    };
    return scope;
  };
  const plain = withDomains(undefined);
  return withDomains(once(async () => exclude(await samplesOf(plain, await structs(plain)))));
}

/** The state of a context as its application sees it. */
export class State {
  /** The context's id, 32 bytes. */
  readonly contextId: Uint8Array;
  /** The fields of the application's state, in the order of their bytes. */
  readonly fields: readonly StateField[];
  /** The problems of the state and its fields. Entries have their own problems. */
  readonly problems: readonly StateProblem[];
  /** The private structs; empty unless `secrets` was set. All their content is secret. */
  readonly privateStructs: readonly PrivateStruct[];
  /** @internal */
  readonly scope: Scope;

  /** @internal */
  constructor(
    scope: Scope,
    fields: readonly StateField[],
    problems: readonly StateProblem[],
    privateStructs: readonly PrivateStruct[],
  ) {
    this.scope = scope;
    this.contextId = copyBytes(scope.rows.contextId);
    this.fields = fields;
    this.problems = [
      ...problems,
      ...fields.flatMap((field) => (field.problem === undefined ? [] : [field.problem])),
    ];
    this.privateStructs = privateStructs;
  }

  /** The context's id as 64 hex digits. */
  get context(): string {
    return toHex(this.contextId);
  }

  /** The field with a name; undefined without such a field. */
  field(name: string): StateField | undefined {
    return this.fields.find((field) => field.name === name);
  }

  /**
   * Returns the value at a path, such as `items.alice` or `items["a b"][0]`; undefined if nothing is there. Lazy
   * collections are read as far as the path needs: one row for a key.
   *
   * @throws MerostoreError `INVALID_ARGUMENT` for a text that is not a path
   * @throws StateError for a part that cannot be shown
   */
  async get(path: string): Promise<unknown> {
    const [name, ...rest] = parsePath(path);
    if (name === undefined) return this.fields;
    const field = this.field(String(name));
    return field === undefined ? undefined : stepInto(field, rest);
  }
}
