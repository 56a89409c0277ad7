/** The application's data as lines of text: fields, the first entries of each collection, and problems. */
import { toHex } from "../../bytes/hex.js";
import { count, counted } from "../../bytes/quantity.js";
import { toJsonLine } from "../../bytes/visible.js";
import {
  type EntityDetails,
  entityDetails,
  keyName,
  PairsValue,
  RegisterValue,
  type State,
  StateCollection,
  StateCounter,
  type StateEntry,
  StateError,
  StateMap,
  type StateProblem,
  StateSet,
  StateShared,
  StateText,
  StateVector,
  VariantValue,
} from "../../state/index.js";
import type { IdLook } from "../output/id-look.js";
import { wrapped } from "../output/lines.js";
import { printable, shortened } from "../output/text.js";
import { entityText, registerText } from "./entity-text.js";

/** Options of the lines. */
export interface StateLineOptions {
  /** The characters of a line; undefined if lines have no end. */
  readonly width: number | undefined;
  readonly ids: IdLook;
  /** The most entries of each collection. */
  readonly limit: number;
  /** Show the facts in the rows about each entity. */
  readonly metadata: boolean;
  readonly utc: boolean;
}

/** Spaces for each level. */
const STEP = 2;
/** The most indented levels. */
const DEEPEST = 24;
/** The most shown levels. */
const MOST_LEVELS = 256;
/** The most shown bytes of a value with a problem. */
const RAW_BYTES = 32;

/** The lines of parts of a state. */
export class StateLines {
  /** The number of shown problems. */
  problems = 0;
  readonly #state: State;
  readonly #options: StateLineOptions;
  /** The ids of shown collections: each has one place. */
  readonly #shown = new Set<string>();

  constructor(state: State, options: StateLineOptions) {
    this.#state = state;
    this.#options = options;
  }

  /** The lines of a value, with or without a name in front. */
  async *value(name: string, value: unknown, depth: number): AsyncGenerator<string, void, undefined> {
    if (depth > MOST_LEVELS) {
      this.problems += 1;
      yield* this.#line(`${name}! NestedTooDeeply: more than ${MOST_LEVELS} levels are not shown`, depth);
      return;
    }
    const inner = value instanceof RegisterValue ? value.value : value;
    if (inner instanceof StateCollection) yield* this.#collection(name, inner, depth);
    else if (inner instanceof RegisterValue) yield* this.value(name, inner, depth);
    else yield* this.#plain(name, inner, depth);
    if (value instanceof RegisterValue && this.#options.metadata) yield* this.#register(value, depth + 1);
  }

  /** The lines of a field or an entry, with its value or problem. */
  async *part(
    name: string,
    { value, problem, raw }: Pick<StateEntry, "value" | "problem" | "raw">,
    depth: number,
  ): AsyncGenerator<string, void, undefined> {
    if (problem === undefined) yield* this.value(name, value, depth);
    else yield* this.problem(name, problem, depth, raw);
  }

  /** The lines of a problem. */
  *problem(
    name: string,
    problem: StateProblem,
    depth: number,
    raw = problem.raw,
  ): Generator<string, void, undefined> {
    this.problems += 1;
    yield* this.#line(`${name}! ${problem.name}: ${printable(problem.message)}`, depth);
    if (raw === undefined) return;
    const more = raw.length > RAW_BYTES ? `… (${counted(raw.length, "byte")})` : "";
    yield* this.#line(`0x${toHex(raw.subarray(0, RAW_BYTES))}${more}`, depth + 1);
  }

  async *#collection(name: string, collection: StateCollection, depth: number): AsyncGenerator<string> {
    const id = toHex(collection.id);
    if (this.#shown.has(id)) {
      this.problems += 1;
      yield* this.#line(`${name}! the collection is shown in another place`, depth);
      return;
    }
    this.#shown.add(id);
    const details = this.#options.metadata ? await collection.details() : undefined;
    try {
      if (collection instanceof StateCounter) yield* this.#line(`${name}${await collection.value()}`, depth);
      else if (collection instanceof StateText) yield* this.#plain(name, await collection.text(), depth);
      else if (collection instanceof StateShared) yield* this.#shared(name, collection, depth);
      else {
        yield* this.#entries(name, collection as StateMap | StateSet | StateVector, depth, details);
        return;
      }
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
      yield* this.problem(name, error.problem, depth);
    }
    yield* this.#entity(details, depth + 1);
  }

  async *#shared(name: string, shared: StateShared, depth: number): AsyncGenerator<string> {
    const entry = await shared.value();
    if (entry === undefined) yield* this.#line(`${name}nothing was written yet`, depth);
    else {
      yield* this.part(name, entry, depth);
      if (this.#options.metadata) yield* this.#entity(await entityDetails(this.#state, entry.id), depth + 1);
    }
  }

  async *#entries(
    name: string,
    of: StateMap | StateSet | StateVector,
    depth: number,
    details: EntityDetails | undefined,
  ): AsyncGenerator<string> {
    const { limit, metadata } = this.#options;
    const size = await of.size();
    yield* this.#line(name + (of instanceof StateMap ? entries(size) : counted(size, "element")), depth);
    yield* this.#entity(details, depth + 1);
    let shown = 0;
    if (limit > 0)
      for await (const entry of of.entries({ limit })) {
        shown += 1;
        yield* this.part(entryName(of, entry, shown - 1), entry, depth + 1);
        if (metadata) yield* this.#entity(await entityDetails(this.#state, entry.id), depth + 2);
      }
    if (shown < size) yield* this.#line(`… ${count(size - shown)} more`, depth + 1);
  }

  async *#plain(name: string, value: unknown, depth: number): AsyncGenerator<string> {
    if (value instanceof VariantValue) {
      if (value.payload === undefined) yield* this.#line(name + printable(value.name), depth);
      else yield* this.value(`${name}${printable(value.name)} `, value.payload, depth);
    } else if (value instanceof PairsValue)
      yield* this.#parts(
        name,
        value.pairs.map(([key, one]) => [toJsonLine(keyName(key)), one] as const),
        depth,
        entries(value.pairs.length),
      );
    else if (Array.isArray(value))
      yield* this.#parts(
        name,
        value.map((one, at) => [`[${at}]`, one] as const),
        depth,
        counted(value.length, "element"),
      );
    else if (typeof value === "object" && value !== null && !(value instanceof Uint8Array)) {
      yield* this.#line(name.trimEnd() || "{}", depth);
      for (const [field, one] of Object.entries(value))
        yield* this.value(`${printable(field)}: `, one, depth + 1);
    } else yield* this.#line(name + scalarText(value), depth);
  }

  async *#parts(
    name: string,
    parts: readonly (readonly [name: string, value: unknown])[],
    depth: number,
    heading: string,
  ): AsyncGenerator<string> {
    const { limit } = this.#options;
    yield* this.#line(name + heading, depth);
    for (const [part, one] of parts.slice(0, limit)) yield* this.value(`${part}: `, one, depth + 1);
    if (parts.length > limit) yield* this.#line(`… ${count(parts.length - limit)} more`, depth + 1);
  }

  *#entity(details: EntityDetails | undefined, depth: number): Generator<string, void, undefined> {
    const { utc, ids } = this.#options;
    if (details !== undefined) yield* this.#line(entityText(details, utc, ids), depth);
  }

  *#register({ time, node }: RegisterValue, depth: number): Generator<string, void, undefined> {
    const { utc, ids } = this.#options;
    // A register without its own time has the time of the entity.
    if (time !== undefined) yield* this.#line(registerText(time, node, utc, ids), depth);
  }

  *#line(text: string, depth: number): Generator<string, void, undefined> {
    const indent = STEP * Math.min(depth, DEEPEST);
    yield* wrapped(" ".repeat(indent) + text, this.#options.width, indent + 2 * STEP);
  }
}

/** The text before an entry: its key, the index of an element, or nothing for an element of a set. */
function entryName(of: StateCollection, { key, id }: StateEntry, index: number): string {
  if (of instanceof StateSet) return "";
  if (of instanceof StateVector) return `[${index}]: `;
  return key === undefined ? `#${toHex(id)}: ` : `${toJsonLine(keyName(key))}: `;
}

function entries(size: number): string {
  return counted(size, "entry", "entries");
}

function scalarText(value: unknown): string {
  if (typeof value === "string") return shortened(toJsonLine(value));
  if (value instanceof Uint8Array) return shortened(`0x${toHex(value)}`);
  return String(value);
}
