/**
 * Counts the ways to read bytes as an open type.
 *
 * For each type and offset it keeps the set of offsets where a value can end, with the number of readings for each:
 * trying one choice after another would take exponential time. The items of a list have one type, so a choice is the
 * same for all of them: inside lists, states also carry the choices that were made.
 */
import { DEEPEST_NESTING, Reader, ReadFailure } from "../../codec/index.js";
import { type Choices, chooser, type Domains, NO_DOMAINS, type OpenType, openTypesIn } from "./choices.js";
import { codecOf } from "./codec-of.js";
import { handleAt } from "./handle-form.js";
import { FREE_PARTS, passCounted } from "./nesting.js";
import {
  anyIn,
  type CollectionType,
  holdsCollections,
  isCollection,
  isExact,
  type Stamp,
  type Type,
} from "./type.js";

/** Steps that the value of an entry may take: a few milliseconds. Lists need some for each byte besides. */
const STEPS_OF_VALUE = 40_000;
const STEPS_OF_BYTE = 8;
/** No value may take more: about a second. */
const MOST_STEPS = 1_000_000;
/** Parts that a codec passes in the time of a step. */
const PARTS_OF_STEP = 8;
/** Readings of one list that are told apart. */
const MOST_STATES = 2_000;
/** Counts stop here. */
const MOST_READINGS = 1e12;

/** Thrown when a value has more readings than are worth counting. */
export const TOO_MANY_READINGS = Symbol("too many readings");

/** A possible end of a value. */
export interface End {
  /** Offset of the byte after it. */
  readonly at: number;
  /** The number of readings that end there. */
  readonly count: number;
  /** The choices inside a list; undefined outside. */
  readonly choices: Choices | undefined;
}

/** Tells whether the bytes at an offset may be the handle of a collection of this type. */
export type HandleTest = (type: CollectionType, bytes: Uint8Array, at: number) => boolean;

const NONE: readonly End[] = [];
/** No choices. It is one object, so that the types without choices are the same for all values. */
export const NO_CHOICES: Choices = new Map();

/** Counts the readings of one value. */
export class Readings {
  readonly bytes: Uint8Array;
  readonly #isHandle: HandleTest;
  /** True if types that may be an `Option` are read as one too. */
  readonly withOptions: boolean;
  readonly #known = new Map<Type, Map<number, readonly End[]>>();
  /** Types of items without anything open, by the choices and the type of the items. */
  readonly #exact = new WeakMap<Choices, Map<Type, Type | "open">>();
  readonly #choosers: Choosers;
  readonly #domains: Domains;
  /** Open types that were looked at in these bytes. */
  readonly met = new Set<OpenType>();
  readonly #most: number;
  #steps: number;

  /** @param domains the types that open types may be; the others may be all of theirs */
  constructor(
    bytes: Uint8Array,
    isHandle: HandleTest,
    withOptions: boolean,
    steps = STEPS_OF_VALUE,
    domains = NO_DOMAINS,
  ) {
    this.bytes = bytes;
    this.#isHandle = isHandle;
    this.withOptions = withOptions;
    this.#domains = domains;
    this.#choosers = choosersOf(domains, withOptions);
    this.#most = Math.min(MOST_STEPS, steps + STEPS_OF_BYTE * bytes.length);
    this.#steps = this.#most;
  }

  /** The possible ends of a value of the type that begins at `at`. Throws {@link TOO_MANY_READINGS}. */
  ends(type: Type, at: number, choices?: Choices, depth = 0): readonly End[] {
    this.#spend(1);
    if (choices !== undefined) return this.#find(type, at, choices, depth);
    let ofType = this.#known.get(type);
    if (ofType === undefined) {
      ofType = new Map();
      this.#known.set(type, ofType);
    }
    let ends = ofType.get(at);
    if (ends === undefined) {
      ends = this.#find(type, at, undefined, depth);
      ofType.set(at, ends);
    }
    return ends;
  }

  /** The number of steps that were taken. */
  get spent(): number {
    return this.#most - this.#steps;
  }

  /** Lifts the bound of steps: the caller can ask for counted ends again. */
  finish(): void {
    this.#steps = Number.POSITIVE_INFINITY;
  }

  /** The types that an open type may be. */
  alternatives(type: OpenType): readonly Type[] {
    return alternativesLeft(type, this.withOptions, this.#domains);
  }

  /** The offsets after each part of a sequence that starts at `at`. */
  sequence(parts: readonly Type[], at: number, choices?: Choices, depth = 0): readonly (readonly End[])[] {
    const after: (readonly End[])[] = [[{ at, count: 1, choices }]];
    for (const part of parts) {
      const before = after.at(-1) as readonly End[];
      if (before.length === 0) break;
      after.push(
        merged(
          before.flatMap((start) => {
            const ends = this.ends(part, start.at, start.choices, depth + 1);
            this.#spend(ends.length);
            return ends.map((end) => times(end, start.count));
          }),
        ),
      );
    }
    return after;
  }

  /** Reads the items of a list at `at`. Returns its possible ends, with their choices. */
  items(item: Type, at: number, outer: Choices | undefined, depth: number): readonly End[] {
    const count = this.#u32(at);
    if (count === undefined) return NONE;
    const finished: End[] = [];
    let states: readonly End[] = [{ at: at + 4, count: 1, choices: outer ?? NO_CHOICES }];
    for (let index = 0; index < count && states.length > 0; index++) {
      const next: End[] = [];
      for (const state of states) {
        const decided = this.#decided(item, state.choices as Choices);
        if (decided !== undefined) {
          finished.push(...this.#rest(decided, state, count - index));
          continue;
        }
        for (const end of this.ends(item, state.at, state.choices, depth + 1)) {
          // Only as many items without bytes as are worth a loop.
          if (end.at > state.at || count <= FREE_PARTS) next.push(end);
        }
      }
      if (next.length + finished.length > MOST_STATES) throw TOO_MANY_READINGS;
      states = next;
    }
    return [...finished, ...states];
  }

  /** The type of the remaining items, if the choices leave nothing open and the codec alone decides. */
  #decided(item: Type, choices: Choices): Type | undefined {
    const known = this.#exact.get(choices)?.get(item);
    if (known !== undefined) return known === "open" ? undefined : known;
    const found = openTypesIn(item);
    if (found === "too many") throw TOO_MANY_READINGS;
    this.#spend(found.among / PARTS_OF_STEP);
    const isDecided = found.types.every((type) => choices.has(type) || this.alternatives(type).length === 1);
    const exact = isDecided ? this.chooser(choices)(item) : undefined;
    const decided = exact !== undefined && isPlain(exact) ? exact : undefined;
    const ofChoices = this.#exact.get(choices) ?? new Map<Type, Type | "open">();
    this.#exact.set(choices, ofChoices);
    ofChoices.set(item, decided ?? "open");
    return decided;
  }

  /** Puts choices in the place of open types, and the first type of the others. */
  chooser(choices: Choices): (type: Type) => Type {
    const [domains, withOptions] = [this.#domains, this.withOptions];
    let known = this.#choosers.get(choices);
    if (known === undefined) {
      known = chooser(
        (type) => choices.get(type) ?? (alternativesLeft(type, withOptions, domains)[0] as Type),
      );
      this.#choosers.set(choices, known);
    }
    return known;
  }

  /** The end of a list whose items are of a type without choices. */
  #rest(type: Type, state: End, count: number): readonly End[] {
    const codec = codecOf(type);
    const reader = new Reader(this.bytes);
    reader.at = state.at;
    try {
      for (let left = count; left > 0; left--) {
        const before = reader.at;
        this.#spend((1 + passCounted(codec, reader)) / PARTS_OF_STEP);
        if (reader.at === before && left > FREE_PARTS) return NONE;
      }
    } catch (error) {
      if (error instanceof ReadFailure) return NONE;
      throw error;
    }
    return [{ ...state, at: reader.at }];
  }

  #spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw TOO_MANY_READINGS;
  }

  #find(type: Type, at: number, choices: Choices | undefined, depth: number): readonly End[] {
    if (depth > DEEPEST_NESTING) return NONE;
    if (isPlain(type)) return this.#plain(type, at, choices);
    if (isCollection(type)) {
      const handle = handleAt(type, this.bytes, at);
      return handle !== undefined && this.#isHandle(type, this.bytes, at)
        ? [{ at: handle.end, count: 1, choices }]
        : NONE;
    }
    switch (type.kind) {
      case "choice":
      case "loose":
        return this.#open(type, at, choices, depth);
      case "option": {
        const tag = this.bytes[at];
        if (tag === 0) return [{ at: at + 1, count: 1, choices }];
        return tag === 1 ? this.ends(type.of, at + 1, choices, depth + 1) : NONE;
      }
      case "register":
        return this.ends(type.of, at, choices, depth + 1)
          .filter((end) => isStamp(this.bytes, end.at, type.stamp))
          .map((end) => ({ ...end, at: end.at + type.stamp }));
      case "tuple":
        return this.#last(type.elements, at, choices, depth);
      case "record":
        return this.#last(
          type.fields.map((field) => field.type),
          at,
          choices,
          depth,
        );
      case "variant": {
        const variant = type.variants[this.bytes[at] ?? -1];
        if (variant === undefined) return NONE;
        if (variant.payload === undefined) return [{ at: at + 1, count: 1, choices }];
        return this.ends(variant.payload, at + 1, choices, depth + 1);
      }
      case "list":
      case "pairs": {
        const ends = this.items(itemOf(type), at, choices, depth);
        return choices === undefined ? merged(ends.map((end) => ({ ...end, choices: undefined }))) : ends;
      }
      default:
        return NONE;
    }
  }

  #open(type: OpenType, at: number, choices: Choices | undefined, depth: number): readonly End[] {
    this.met.add(type);
    const made = choices?.get(type);
    if (made !== undefined) return this.ends(made, at, choices, depth + 1);
    const alternatives = this.alternatives(type);
    if (choices === undefined || alternatives.length === 1)
      return merged(alternatives.flatMap((one) => this.ends(one, at, choices, depth + 1)));
    this.#spend(choices.size * alternatives.length);
    return alternatives.flatMap((one) => this.ends(one, at, new Map([...choices, [type, one]]), depth + 1));
  }

  #last(parts: readonly Type[], at: number, choices: Choices | undefined, depth: number): readonly End[] {
    const after = this.sequence(parts, at, choices, depth);
    return after.length === parts.length + 1 ? (after.at(-1) as readonly End[]) : NONE;
  }

  #plain(type: Type, at: number, choices: Choices | undefined): readonly End[] {
    const reader = new Reader(this.bytes);
    reader.at = at;
    try {
      this.#spend(passCounted(codecOf(type), reader) / PARTS_OF_STEP);
    } catch (error) {
      if (error instanceof ReadFailure) return NONE;
      throw error;
    }
    return [{ at: reader.at, count: 1, choices }];
  }

  #u32(at: number): number | undefined {
    const { bytes } = this;
    if (at + 4 > bytes.length) return undefined;
    return new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0, true);
  }
}

/** The item of a list. The items of a map inside a value are pairs. */
export function itemOf(type: Type & { readonly kind: "list" | "pairs" }): Type {
  if (type.kind === "list") return type.item;
  let pair = pairs.get(type);
  if (pair === undefined) {
    pair = { kind: "tuple", elements: [type.key, type.value] };
    pairs.set(type, pair);
  }
  return pair;
}

/** All types that an open type may be. */
export function alternativesOf(type: OpenType, withOptions: boolean): readonly Type[] {
  if (type.kind === "choice") return type.of;
  return withOptions ? [type.of, optionOf(type.of)] : [type.of];
}

/** The alternatives of an open type that other values do not exclude. */
function alternativesLeft(type: OpenType, withOptions: boolean, domains: Domains): readonly Type[] {
  const all = alternativesOf(type, withOptions);
  const domain = domains.get(type);
  if (domain === undefined) return all;
  const left = all.filter((one) => domain.includes(one));
  // An unannounced option is read as an option if no other reading is possible.
  return left.length > 0 ? left : domain;
}

/** Functions that put choices in the place of open types, by the choices. */
type Choosers = WeakMap<Choices, (type: Type) => Type>;

const choosers = new WeakMap<Domains, readonly [plain: Choosers, withOptions: Choosers]>();

/** The functions for all values that are read alike: they return the same types, which are looked at once. */
function choosersOf(domains: Domains, withOptions: boolean): Choosers {
  const both = choosers.get(domains) ?? ([new WeakMap(), new WeakMap()] as const);
  choosers.set(domains, both);
  return both[withOptions ? 1 : 0];
}

const pairs = new WeakMap<Type, Type>();
const options = new WeakMap<Type, Type>();

/** The `Option` of a type: always the same object. */
export function optionOf(type: Type): Type {
  let option = options.get(type);
  if (option === undefined) {
    option = { kind: "option", of: type };
    options.set(type, option);
  }
  return option;
}

const holdsRegisters = anyIn(({ kind }) => kind === "register");

/** Returns true if the codec alone decides: nothing is open, and there is no handle and no register to look at. */
function isPlain(type: Type): boolean {
  return isExact(type) && !holdsCollections(type) && !holdsRegisters(type);
}

/** One end for each offset and choices, with the sum of the counts. */
function merged(ends: readonly End[]): readonly End[] {
  if (ends.length < 2) return ends;
  if (ends.some(({ choices }) => choices !== undefined)) {
    if (ends.length > MOST_STATES) throw TOO_MANY_READINGS;
    return ends;
  }
  const counts = new Map<number, number>();
  for (const { at, count } of ends) counts.set(at, Math.min(MOST_READINGS, (counts.get(at) ?? 0) + count));
  return [...counts].map(([at, count]) => ({ at, count, choices: undefined }));
}

function times(end: End, count: number): End {
  return count === 1 ? end : { ...end, count: Math.min(MOST_READINGS, end.count * count) };
}

const SECONDS_2017 = 1_483_228_800;
const SECONDS_2100 = 4_102_444_800;

/** Returns true if bytes may be the stamp of a register: time 0 or a date of this century, and a clock. */
function isStamp(bytes: Uint8Array, at: number, size: Stamp): boolean {
  if (at + size > bytes.length) return false;
  if (size === 0) return true;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, size);
  const seconds = view.getUint32(4, true);
  const never = seconds === 0 && view.getUint32(0, true) === 0;
  if (!never && (seconds < SECONDS_2017 || seconds > SECONDS_2100)) return false;
  return view.getBigUint64(8, true) !== 0n || (size > 16 && view.getBigUint64(16, true) !== 0n);
}
