/** The JSON form of the application's data. */
import { toHex } from "../bytes/hex.js";
import { compareBytes } from "../bytes/order.js";
import type { Json } from "../codec/index.js";
import { sorted } from "../collections/sort.js";
import { checkArgument, checkOptions, hasMembers, isWholeNumber, type OptionChecks } from "../options.js";
import { Pause } from "../pause.js";
import { isState } from "./arguments.js";
import { StateCollection } from "./collections/collection.js";
import { StateCounter } from "./collections/counter.js";
import { StateMap } from "./collections/map.js";
import type { StateEntry } from "./collections/scope.js";
import { StateText } from "./collections/sequence.js";
import type { StateSet } from "./collections/set.js";
import { StateShared } from "./collections/shared.js";
import type { StateVector } from "./collections/vector.js";
import type { StateField } from "./fields.js";
import { ROOT_PATH } from "./path.js";
import { ProblemList, problem, StateError, type StateProblem } from "./problem.js";
import type { State } from "./state.js";
import { codecOf } from "./types/codec-of.js";
import { keyBytes, keyName, PairsValue, RegisterValue, VariantValue } from "./types/values.js";

/** Options of {@link stateJson}. */
export interface StateJsonOptions {
  /** At most this many entries of each collection; texts and counters are whole. */
  readonly limit?: number | undefined;
}

const checks: OptionChecks<StateJsonOptions> = { limit: isWholeNumber(0) };

/** The JSON form of a state. */
export interface StateJson {
  /** The context's id, 64 hex digits. */
  readonly context: string;
  /** The fields of the application's state by name. */
  readonly state: Json;
  /** The private structs by name; absent if none were read. Secret. */
  readonly private?: Json;
}

/** A JSON form, and the problems of the data. */
export interface WithProblems<J> {
  /**
   * The JSON form. `{ "$problem": NAME, "bytes": SIZE }` stands for a part with a problem; `bytes` is absent if the
   * part has no bytes.
   */
  readonly json: J;
  /** The problems, those inside included; at most 10,000 are listed. */
  readonly problems: readonly StateProblem[];
  /** The number of all problems. */
  readonly problemCount: number;
}

/**
 * The whole state as JSON, with its problems: maps as objects (keys that are not text in hexadecimal), sets and lists
 * as arrays, registers and shared values as their value, counters and whole numbers of 64 bits and more as decimal
 * text, bytes in hexadecimal, enums as the name or an object of the name and the payload.
 *
 * A part with a problem is `{ "$problem": NAME, "bytes": SIZE }`; for a whole with fields, `$problem` is one of the
 * fields. An entry of a map whose key was not understood has the name `$problem ID`. If `limit` leaves out entries,
 * `"$more"` is their number: in a map under this name, in a list as the last element `{ "$more": NUMBER }`. If several
 * accounts have an entry with the same key, the names of all but the first are `$entry ID KEY`. Names of the data that
 * begin with `$problem`, `$more` or `$entry` get one more `$`.
 *
 * Reads everything into memory; `limit` bounds it.
 */
export async function stateJson(
  state: State,
  options: StateJsonOptions = {},
): Promise<WithProblems<StateJson>> {
  checkArgument("stateJson", state, isState);
  checkOptions("stateJson", options, checks);
  const problems = new ProblemList(state.problems);
  const writer = new JsonForm(options.limit, problems);
  const ofFields = new Set(state.fields.map(({ problem }) => problem));
  const [ofState] = state.problems.filter((one) => !ofFields.has(one));
  const fields = await writer.fields(state.fields, ofState);
  const structs: Record<string, Json> = Object.create(null);
  for (const { name, fields: inside, problem: wrong } of state.privateStructs) {
    if (wrong !== undefined) problems.add(wrong);
    for (const field of inside) if (field.problem !== undefined) problems.add(field.problem);
    structs[dataName(name)] = await writer.fields(inside, wrong);
  }
  const json = { context: state.context, state: fields };
  return {
    json: state.privateStructs.length === 0 ? json : { ...json, private: structs },
    problems: problems.listed,
    problemCount: problems.count,
  };
}

/** The JSON form of the fields of a state, with the problems inside them. */
export async function fieldsJson(state: State): Promise<WithProblems<Json>> {
  const { json, ...problems } = await stateJson(state);
  return { json: json.state, ...problems };
}

/** The JSON form of a value that `stateOf` returned, with the problems inside it. */
export async function valueJson(value: unknown, options: StateJsonOptions = {}): Promise<WithProblems<Json>> {
  checkArgument("valueJson", value, (one) => (one === undefined ? "a value of a state" : undefined));
  checkOptions("valueJson", options, checks);
  const problems = new ProblemList();
  const json = await new JsonForm(options.limit, problems).value(value, ROOT_PATH, 0);
  return { json, problems: problems.listed, problemCount: problems.count };
}

/** Levels of objects and lists. Parsers of JSON have bounds, and so does the writer of this package. */
const DEEPEST = 256;
/** Elements between two looks at the clock. */
const MANY = 1024;

/** The names that stand for parts that are not shown. */
const PROBLEM = "$problem";
const MORE = "$more";
/** Begins the name of an entry if another account has an entry with the same key. */
const ENTRY = "$entry";
/** Sorts after the keys of maps: no text in UTF-8 has the byte. */
const LAST = Uint8Array.of(0xff);

/** The JSON of a part with a problem: `{ "$problem": NAME, "bytes": SIZE }`. It holds none of its bytes. */
export function problemJson(problem: StateProblem): Json {
  checkArgument("problemJson", problem, hasMembers("a problem", "name"));
  const { name, raw } = problem;
  return { [PROBLEM]: name, ...(raw !== undefined && { bytes: raw.length }) };
}

/** A name of the data, changed if it looks like one of the names above. */
function dataName(name: string): string {
  return /^\$+(problem|more|entry)/.test(name) ? `$${name}` : name;
}

/** An entry of a map. */
interface ShownEntry {
  readonly id: Uint8Array;
  readonly key: Uint8Array;
  readonly name: string;
  readonly value: Json;
}

function byKey(a: ShownEntry, b: ShownEntry): number {
  return compareBytes(a.key, b.key) || compareBytes(a.id, b.id);
}

class JsonForm {
  readonly #limit: number | undefined;
  readonly #problems: ProblemList;
  readonly #pause = new Pause();
  /** Collections that were shown: each has one place. */
  readonly #shown = new Set<string>();

  constructor(limit: number | undefined, problems: ProblemList) {
    this.#limit = limit;
    this.#problems = problems;
  }

  /** @param whole the problem of the struct with these fields */
  async fields(fields: readonly StateField[], whole: StateProblem | undefined): Promise<Json> {
    if (whole !== undefined && fields.length === 0) return problemJson(whole);
    const json: Record<string, Json> = Object.create(null);
    if (whole !== undefined) json[PROBLEM] = whole.name;
    for (const { name, path, value, problem: wrong } of fields)
      json[dataName(name)] = wrong === undefined ? await this.value(value, path, 1) : problemJson(wrong);
    return json;
  }

  /** @param path the path of the value, or of the part that contains it */
  async value(value: unknown, path: string, depth: number): Promise<Json> {
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number") return codecOf({ kind: "f64" }).toJson(value);
    if (typeof value === "bigint") return value.toString();
    if (value instanceof Uint8Array) return toHex(value);
    if (value instanceof RegisterValue) return this.value(value.value, path, depth);
    if (depth >= DEEPEST)
      return this.#problem(problem("NestedTooDeeply", path, `more than ${DEEPEST} levels are not shown`));
    await this.#pause.ifLong();
    if (value instanceof StateCollection) return this.#collection(value, depth);
    if (value instanceof VariantValue) {
      const { name, payload } = value;
      return payload === undefined ? name : this.#object([[name, payload]], path, depth);
    }
    if (value instanceof PairsValue)
      return this.#object(
        value.pairs.map(([key, one]) => [keyName(key), one] as const),
        path,
        depth,
      );
    if (Array.isArray(value)) {
      const list: Json[] = [];
      for (const one of value) {
        if (list.length % MANY === 0) await this.#pause.ifLong();
        list.push(await this.value(one, path, depth + 1));
      }
      return list;
    }
    return this.#object(Object.entries(value as object), path, depth);
  }

  async #object(
    parts: readonly (readonly [name: string, value: unknown])[],
    path: string,
    depth: number,
  ): Promise<Json> {
    const json: Record<string, Json> = Object.create(null);
    for (const [name, one] of parts) json[dataName(name)] = await this.value(one, path, depth + 1);
    return json;
  }

  #problem(wrong: StateProblem): Json {
    this.#problems.add(wrong);
    return problemJson(wrong);
  }

  async #collection(collection: StateCollection, depth: number): Promise<Json> {
    const id = toHex(collection.id);
    if (this.#shown.has(id))
      return this.#problem(
        problem(
          "CollectionReused",
          collection.path,
          "the collection is in another place too, where it is shown",
        ),
      );
    this.#shown.add(id);
    try {
      return await this.#contents(collection, depth);
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
      return this.#problem(error.problem);
    }
  }

  async #contents(collection: StateCollection, depth: number): Promise<Json> {
    if (collection instanceof StateCounter) return (await collection.value()).toString();
    if (collection instanceof StateText) return collection.text();
    if (collection instanceof StateShared) {
      const entry = await collection.value();
      return entry === undefined ? null : this.#entry(entry, depth);
    }
    if (collection instanceof StateMap) return this.#map(collection, depth);
    const some = collection as StateSet | StateVector;
    const list: Json[] = [];
    for await (const entry of some.entries({ limit: this.#limit }))
      list.push(await this.#entry(entry, depth + 1));
    const more = await this.#leftOut(some);
    if (more > 0) list.push({ [MORE]: more });
    return list;
  }

  async #map(map: StateMap, depth: number): Promise<Json> {
    const shown: ShownEntry[] = [];
    // All entries are sorted here: the map need not be read in order first.
    const entries = this.#limit === undefined ? map.parts() : map.entries({ limit: this.#limit });
    for await (const entry of entries) {
      const value = await this.#entry(entry, depth + 1);
      const { key, id } = entry;
      if (key === undefined) shown.push({ id, key: LAST, name: `${PROBLEM} ${toHex(id)}`, value });
      else shown.push({ id, key: keyBytes(key), name: dataName(keyName(key)), value });
    }
    const inOrder = this.#limit === undefined ? await sorted(shown, byKey) : shown;
    const json: Record<string, Json> = Object.create(null);
    for (const [at, { id, name, value }] of inOrder.entries()) {
      if (at % MANY === 0) await this.#pause.ifLong();
      json[name in json ? `${ENTRY} ${toHex(id)} ${name}` : name] = value;
    }
    const more = await this.#leftOut(map);
    if (more > 0) json[MORE] = more;
    return json;
  }

  /** The number of entries that the limit leaves out. */
  async #leftOut(collection: StateMap | StateSet | StateVector): Promise<number> {
    return this.#limit === undefined ? 0 : Math.max(0, (await collection.size()) - this.#limit);
  }

  async #entry({ value, path, problem: wrong }: StateEntry, depth: number): Promise<Json> {
    await this.#pause.ifLong();
    return wrong === undefined ? this.value(value, path, depth) : this.#problem(wrong);
  }
}
