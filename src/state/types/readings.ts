/**
 * How many ways there are to read bytes as a type that leaves something open.
 *
 * For each type and offset it keeps the set of offsets where a value can end, with the number of readings for each:
 * trying one choice after another would take exponential time. The items of a list have one type, so a choice is the same
 * for all of them: inside lists, states also carry the choices that were made.
 */
import { Reader, ReadFailure } from "../../codec/index.js";
import { codecOf } from "./codec-of.js";
import { MOST_EMPTY_ITEMS } from "./list-codec.js";
import { DEEPEST_VALUE } from "./nesting.js";
import {
  type CollectionType,
  handleSize,
  holdsCollections,
  isCollection,
  isExact,
  someType,
  type Type,
} from "./type.js";

/** Steps that the value of an entry may take: a few milliseconds. Lists of numbers need some for each byte besides. */
const STEPS_OF_VALUE = 40_000;
const STEPS_OF_BYTE = 8;
/** Readings of one list that are told apart. */
const MOST_STATES = 2_000;
/** Counts stop here. */
const MOST_READINGS = 1e12;

/** Thrown when a value has more readings than are worth counting. */
export const TOO_MANY = Symbol("too many readings");

/** The choices that were made, by the open type. */
export type Choices = ReadonlyMap<Type, Type>;

/** Where a value may end. */
export interface End {
  /** Offset of the byte after it. */
  readonly at: number;
  /** The number of readings that end there. */
  readonly count: number;
  /** The choices inside a list; undefined outside. */
  readonly choices: Choices | undefined;
}

/** Whether the bytes at an offset may be the handle of a collection of this type. */
export type HandleTest = (type: CollectionType, bytes: Uint8Array, at: number) => boolean;

const NONE: readonly End[] = [];
const EMPTY: Choices = new Map();

/** Counts the readings of one value. */
export class Readings {
  readonly bytes: Uint8Array;
  readonly #isHandle: HandleTest;
  /** Whether types that may be an `Option` are read as one too. */
  readonly withOptions: boolean;
  readonly #known = new Map<Type, Map<number, readonly End[]>>();
  #steps: number;

  constructor(bytes: Uint8Array, isHandle: HandleTest, withOptions: boolean, steps = STEPS_OF_VALUE) {
    this.bytes = bytes;
    this.#isHandle = isHandle;
    this.withOptions = withOptions;
    this.#steps = steps + STEPS_OF_BYTE * bytes.length;
  }

  /** Where a value of the type that begins at `at` may end. Throws {@link TOO_MANY}. */
  ends(type: Type, at: number, choices?: Choices, depth = 0): readonly End[] {
    if (--this.#steps < 0) throw TOO_MANY;
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

  /** The number of steps that are left is no longer looked at: what was counted can be asked for again. */
  finish(): void {
    this.#steps = Number.POSITIVE_INFINITY;
  }

  /** The types that an open type may be. */
  alternatives(type: Type & { readonly kind: "choice" | "loose" }): readonly Type[] {
    if (type.kind === "choice") return type.of;
    return this.withOptions ? [type.of, optionOf(type.of)] : [type.of];
  }

  /** The offsets after each part of a sequence, from those of `starts`. */
  sequence(parts: readonly Type[], at: number, choices?: Choices, depth = 0): readonly (readonly End[])[] {
    const after: (readonly End[])[] = [[{ at, count: 1, choices }]];
    for (const part of parts) {
      const before = after.at(-1) as readonly End[];
      if (before.length === 0) break;
      after.push(
        merged(
          before.flatMap((start) =>
            this.ends(part, start.at, start.choices, depth + 1).map((end) => times(end, start.count)),
          ),
        ),
      );
    }
    return after;
  }

  /** The items of a list at `at`: where it may end, and with which choices. */
  items(item: Type, at: number, outer: Choices | undefined, depth: number): readonly End[] {
    const count = this.#u32(at);
    if (count === undefined) return NONE;
    let states: readonly End[] = [{ at: at + 4, count: 1, choices: outer ?? EMPTY }];
    for (let index = 0; index < count; index++) {
      const next: End[] = [];
      for (const state of states) {
        for (const end of this.ends(item, state.at, state.choices, depth + 1)) {
          // Only as many items without bytes as are worth a loop.
          if (end.at > state.at || count <= MOST_EMPTY_ITEMS) next.push(end);
        }
      }
      if (next.length === 0) return NONE;
      if (next.length > MOST_STATES) throw TOO_MANY;
      states = next;
    }
    return states;
  }

  #find(type: Type, at: number, choices: Choices | undefined, depth: number): readonly End[] {
    if (depth > DEEPEST_VALUE) return NONE;
    if (isPlain(type)) return this.#plain(type, at, choices);
    if (isCollection(type)) {
      const end = at + handleSize(type);
      return end <= this.bytes.length && this.#isHandle(type, this.bytes, at)
        ? [{ at: end, count: 1, choices }]
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
          .filter((end) => isStamp(this.bytes, end.at))
          .map((end) => ({ ...end, at: end.at + 56 }));
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

  #open(
    type: Type & { readonly kind: "choice" | "loose" },
    at: number,
    choices: Choices | undefined,
    depth: number,
  ): readonly End[] {
    const made = choices?.get(type);
    if (made !== undefined) return this.ends(made, at, choices, depth + 1);
    const alternatives = this.alternatives(type);
    if (choices === undefined || alternatives.length === 1)
      return merged(alternatives.flatMap((one) => this.ends(one, at, choices, depth + 1)));
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
      codecOf(type).pass(reader);
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

/** A list's item; that of a map inside a value is a pair. */
export function itemOf(type: Type & { readonly kind: "list" | "pairs" }): Type {
  if (type.kind === "list") return type.item;
  let pair = pairs.get(type);
  if (pair === undefined) {
    pair = { kind: "tuple", elements: [type.key, type.value] };
    pairs.set(type, pair);
  }
  return pair;
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

const plain = new WeakMap<Type, boolean>();

/** Whether the codec alone decides: nothing is open, and there is no handle and no register to look at. */
function isPlain(type: Type): boolean {
  let known = plain.get(type);
  if (known === undefined) {
    known = isExact(type) && !holdsCollections(type) && !someType(type, ({ kind }) => kind === "register");
    plain.set(type, known);
  }
  return known;
}

/** One end for each offset and choices, with the sum of the counts. */
function merged(ends: readonly End[]): readonly End[] {
  if (ends.length < 2) return ends;
  if (ends.some(({ choices }) => choices !== undefined)) {
    if (ends.length > MOST_STATES) throw TOO_MANY;
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

/** Whether 56 bytes may be the time and the writer of a register: time 0 or a date of this century, and a clock. */
function isStamp(bytes: Uint8Array, at: number): boolean {
  if (at + 56 > bytes.length) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, 24);
  const seconds = view.getUint32(4, true);
  const never = seconds === 0 && view.getUint32(0, true) === 0;
  if (!never && (seconds < SECONDS_2017 || seconds > SECONDS_2100)) return false;
  return view.getBigUint64(8, true) !== 0n || view.getBigUint64(16, true) !== 0n;
}
