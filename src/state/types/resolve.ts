/** The exact type of a value that has one reading. */
import { type End, itemOf, NO_CHOICES, type Readings } from "./readings.js";
import { isExact, type Type } from "./type.js";

/** Types that were found, by their place in the bytes: a type may hold another in many places without bytes. */
const resolved = new WeakMap<Readings, Map<Type, Map<number, Type>>>();

/**
 * Returns the exact type in which the bytes from `at` to `end` are read. They must have exactly one reading.
 */
export function resolve(readings: Readings, type: Type, at: number, end: number): Type {
  if (isExact(type)) return type;
  const known = resolved.get(readings) ?? new Map<Type, Map<number, Type>>();
  resolved.set(readings, known);
  const ofType = known.get(type) ?? new Map<number, Type>();
  known.set(type, ofType);
  const place = at * (readings.bytes.length + 1) + end;
  const exact = ofType.get(place) ?? exactType(readings, type, at, end);
  ofType.set(place, exact);
  return exact;
}

function exactType(readings: Readings, type: Type, at: number, end: number): Type {
  switch (type.kind) {
    case "choice":
    case "loose": {
      const fits = readings.alternatives(type).find((one) => reaches(readings.ends(one, at), end));
      return resolve(readings, fits as Type, at, end);
    }
    case "option":
      return readings.bytes[at] === 0 ? type : { ...type, of: resolve(readings, type.of, at + 1, end) };
    case "register":
      return { ...type, of: resolve(readings, type.of, at, end - type.stamp) };
    case "tuple":
      return { ...type, elements: resolveParts(readings, type.elements, at, end) };
    case "record": {
      const types = resolveParts(
        readings,
        type.fields.map((field) => field.type),
        at,
        end,
      );
      return {
        kind: "record",
        name: type.name,
        fields: type.fields.map(({ name }, index) => ({ name, type: types[index] as Type })),
      };
    }
    case "variant": {
      const tag = readings.bytes[at];
      return {
        ...type,
        variants: type.variants.map((variant, index) =>
          index === tag && variant.payload !== undefined
            ? { name: variant.name, payload: resolve(readings, variant.payload, at + 1, end) }
            : variant,
        ),
      };
    }
    case "list":
    case "pairs": {
      const found = readings.items(itemOf(type), at, undefined, 0).find((one) => one.at === end);
      const choose = readings.chooser(found?.choices ?? NO_CHOICES);
      return type.kind === "list"
        ? { ...type, item: choose(type.item) }
        : { ...type, key: choose(type.key), value: choose(type.value) };
    }
    default:
      return type;
  }
}

/** A part of the bytes, and in how many readings it is a value. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly count: number;
}

/**
 * The places of each part of a sequence, in the readings from `at` that reach `end`; undefined without such a reading.
 */
export function spansOf(
  readings: Readings,
  parts: readonly Type[],
  at: number,
  end: number,
): readonly (readonly Span[])[] | undefined {
  const after = readings.sequence(parts, at);
  if (after.length <= parts.length || !reaches(after.at(-1) as readonly End[], end)) return undefined;
  const spans: (readonly Span[])[] = [];
  let targets = new Set([end]);
  for (let index = parts.length - 1; index >= 0; index--) {
    const found: Span[] = [];
    for (const { at: start } of after[index] as readonly End[])
      for (const { at: stop, count } of readings.ends(parts[index] as Type, start))
        if (targets.has(stop)) found.push({ start, end: stop, count });
    spans.push(found);
    targets = new Set(found.map(({ start }) => start));
  }
  return spans.reverse();
}

/** The exact types of the parts of a sequence, in the only reading that reaches `end`. */
function resolveParts(readings: Readings, parts: readonly Type[], at: number, end: number): readonly Type[] {
  const spans = spansOf(readings, parts, at, end) as readonly (readonly [Span])[];
  return spans.map(([{ start, end: stop }], index) => resolve(readings, parts[index] as Type, start, stop));
}

function reaches(ends: readonly End[], at: number): boolean {
  return ends.some((end) => end.at === at);
}
