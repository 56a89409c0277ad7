/** The fields of a struct whose bytes hold values and handles: the application's state, and private structs. */
import { collectionId } from "../digests/index.js";
import { problemOf } from "./collections/entry-body.js";
import { negativeName, storedName } from "./collections/layout.js";
import { collectionOf, liveValue } from "./collections/live.js";
import type { Scope } from "./collections/scope.js";
import { fieldPath } from "./path.js";
import { problem, type StateProblem } from "./problem.js";
import { codecOf } from "./types/codec-of.js";
import { HandleLookups } from "./types/handles.js";
import { count } from "./types/read-value.js";
import type { End, HandleTest, Readings } from "./types/readings.js";
import { resolve } from "./types/resolve.js";
import { handleSize, isCollection, type RecordType, type Type } from "./types/type.js";
import { typeName } from "./types/type-name.js";
import { Handle } from "./types/values.js";

/** Steps that a struct may take. There are few structs, and each has many fields. */
const STEPS_OF_STRUCT = 400_000;

/** A field of the state or of a private struct. */
export interface StateField {
  /** Its name; `@` and the offset in bytes where nothing names it. */
  readonly name: string;
  /** Its path. */
  readonly path: string;
  /** Its value, with lazy collections in it; undefined where there is a problem. */
  readonly value: unknown;
  /** What is wrong; undefined where nothing is. */
  readonly problem: StateProblem | undefined;
  /** @internal The exact type of the value. */
  readonly type: Type | undefined;
  /** Its bytes; undefined where they are not known. */
  readonly raw: Uint8Array | undefined;
}

/** A field that cannot be shown. */
export function unshown(name: string, wrong: StateProblem): StateField {
  return { name, path: wrong.path, value: undefined, type: undefined, raw: wrong.raw, problem: wrong };
}

/** The fields of a struct, and what is wrong with the struct as a whole. */
export interface StructFields {
  /** The fields, in the order of their bytes. */
  readonly fields: readonly StateField[];
  /** What is wrong with the whole. */
  readonly problem: StateProblem | undefined;
}

/** What the fields of a struct belong to. */
export interface StructPlace {
  /** Its path: `$` for the state. */
  readonly path: string;
  /** Whether its collections have names and ids made of the names of the fields, as those of the state. */
  readonly isNamed: boolean;
}

/** Reads the fields of a struct from all of its bytes. */
export async function fieldsOfStruct(
  scope: Scope,
  type: RecordType,
  bytes: Uint8Array,
  place: StructPlace,
): Promise<StructFields> {
  const lookups = new HandleLookups((ids) => scope.rows.live(ids));
  for (const withOptions of [false, true]) count(type, bytes, lookups.test, withOptions, STEPS_OF_STRUCT);
  await lookups.load();
  for (const withOptions of [false, true]) {
    const found = readFields(scope, type, bytes, place, lookups.test, withOptions);
    if (found !== undefined) return found;
  }
  const message = `${bytes.length} bytes have no reading as ${typeName(type)}`;
  return {
    fields: place.isNamed ? await fieldsByName(scope, type, place) : [],
    problem: problem("ValueDecode", place.path, message, bytes),
  };
}

/** The fields of all readings; undefined where there is none. Those that are the same in all readings are shown. */
function readFields(
  scope: Scope,
  type: RecordType,
  bytes: Uint8Array,
  place: StructPlace,
  isHandle: HandleTest,
  withOptions: boolean,
): StructFields | undefined {
  const readings = count(type, bytes, isHandle, withOptions, STEPS_OF_STRUCT);
  if (readings === undefined) {
    const message = "the bytes have too many readings; hints can settle which is right";
    return { fields: [], problem: problem("Ambiguous", place.path, message, bytes) };
  }
  const parts = type.fields.map((field) => field.type);
  const after = readings.sequence(parts, 0);
  const reached = onTheWay(readings, parts, after, bytes.length);
  if (reached === undefined) return undefined;
  const fields = type.fields.map(({ name, type: of }, at) =>
    fieldAt(scope, readings, of, name, place, reached[at] as readonly Span[]),
  );
  return { fields, problem: undefined };
}

/** A part of the bytes, and in how many readings it is a value. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly count: number;
}

/** Where each part is in the readings that use all bytes; undefined where there is none. */
function onTheWay(
  readings: Readings,
  parts: readonly Type[],
  after: readonly (readonly End[])[],
  end: number,
): readonly (readonly Span[])[] | undefined {
  if (after.length <= parts.length || !after.at(-1)?.some(({ at }) => at === end)) return undefined;
  const spans: (readonly Span[])[] = [];
  let targets = new Set([end]);
  for (let index = parts.length - 1; index >= 0; index--) {
    const found: Span[] = [];
    for (const { at: start } of after[index] as readonly End[])
      for (const { at, count: times } of readings.ends(parts[index] as Type, start))
        if (targets.has(at)) found.push({ start, end: at, count: times });
    spans.push(found);
    targets = new Set(found.map(({ start }) => start));
  }
  return spans.reverse();
}

function fieldAt(
  scope: Scope,
  readings: Readings,
  type: Type,
  name: string,
  place: StructPlace,
  spans: readonly Span[],
): StateField {
  const path = fieldPath(place.path, name);
  const [first] = spans as readonly [Span];
  const sum = spans.reduce((total, span) => total + span.count, 0);
  if (sum > 1) {
    const start = spans.reduce((least, span) => Math.min(least, span.start), first.start);
    const end = spans.reduce((most, span) => Math.max(most, span.end), first.end);
    const raw = readings.bytes.subarray(start, end);
    return unshown(name, problemOf({ outcome: "ambiguous", count: sum }, path, raw));
  }
  const exact = resolve(readings, type, first.start, first.end);
  const raw = readings.bytes.subarray(first.start, first.end);
  const value = codecOf(exact).decode(raw);
  const live =
    value instanceof Handle
      ? collectionOf(scope, value, { path, field: place.isNamed ? name : undefined, owners: [] })
      : liveValue(scope, value, path, []);
  return { name, path, value: live, type: exact, raw, problem: undefined };
}

/** The collections of a struct whose bytes have no reading, by the ids that their names have. */
async function fieldsByName(
  scope: Scope,
  type: RecordType,
  place: StructPlace,
): Promise<readonly StateField[]> {
  return Promise.all(
    type.fields.map(async ({ name, type: of }): Promise<StateField> => {
      const path = fieldPath(place.path, name);
      const candidates = [of, ...(of.kind === "choice" ? of.of : [])].filter(isCollection);
      for (const candidate of candidates) {
        const stored = storedName(candidate, name);
        const ids = [collectionId(stored)];
        if (candidate.kind === "counter" && candidate.signed) ids.push(collectionId(negativeName(stored)));
        const bytes = new Uint8Array(handleSize(candidate));
        for (const [at, id] of ids.entries()) bytes.set(id, 32 * at);
        const found = await scope.rows.live(ids);
        if (found.includes(undefined)) continue;
        const handle = new Handle(candidate, bytes);
        const value = collectionOf(scope, handle, { path, field: name, owners: [] });
        return { name, path, value, type: candidate, raw: undefined, problem: undefined };
      }
      const message = "the bytes of the state do not show the field, and no row has its name";
      return unshown(name, problem("FieldNotFound", path, message));
    }),
  );
}
