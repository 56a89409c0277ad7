/** The fields of a struct whose bytes hold values and handles: the application's state, and private structs. */
import type { Codec } from "../codec/index.js";
import { collectionId } from "../digests/index.js";
import { checkArgument } from "../options.js";
import { isTyped } from "./arguments.js";
import { problemOf } from "./collections/entry-body.js";
import { negativeName, storedName } from "./collections/layout.js";
import { collectionOf, liveValue } from "./collections/live.js";
import type { Scope, StateEntry } from "./collections/scope.js";
import { fieldPath } from "./path.js";
import { problem, type StateProblem } from "./problem.js";
import type { Domains } from "./types/choices.js";
import { codecOf } from "./types/codec-of.js";
import { handleBytes } from "./types/handle-form.js";
import { count, handlesIn } from "./types/read-value.js";
import type { HandleTest, Readings } from "./types/readings.js";
import { resolve, type Span, spansOf } from "./types/resolve.js";
import { isCollection, type RecordType, type Type } from "./types/type.js";
import { typeName } from "./types/type-name.js";
import { Handle } from "./types/values.js";

/** Steps that a struct may take. There are few structs, and each has many fields. */
export const STEPS_OF_STRUCT = 400_000;

/** A field of the state or of a private struct. */
export interface StateField {
  /** Its name; `@` and the offset in bytes if the field has no name. */
  readonly name: string;
  /** Its path. */
  readonly path: string;
  /** Its value, with lazy collections in it; undefined if there is a problem. */
  readonly value: unknown;
  /** The problem; undefined if there is none. */
  readonly problem: StateProblem | undefined;
  /** @internal The exact type of the value. */
  readonly type: Type | undefined;
  /** Its bytes; undefined if they are not known. */
  readonly raw: Uint8Array | undefined;
  /** @internal The entity that holds it, 32 bytes, if the root does not. */
  readonly entity?: Uint8Array;
}

/** A field that cannot be shown. */
export function unshown(name: string, wrong: StateProblem): StateField {
  return { name, path: wrong.path, value: undefined, type: undefined, raw: wrong.raw, problem: wrong };
}

/** The fields of a struct, and the problem of the struct as a whole. */
export interface StructFields {
  /** The fields, in the order of their bytes. */
  readonly fields: readonly StateField[];
  /** The problem of the whole; undefined if there is none. */
  readonly problem: StateProblem | undefined;
}

/** The place of a struct. */
export interface StructPlace {
  /** Its path: `$` for the state. */
  readonly path: string;
  /** True if its collections have names and ids that are made of the names of the fields, as in the state. */
  readonly isNamed: boolean;
}

/** A struct with its place. */
export interface Struct extends StructPlace {
  /** Its type. */
  readonly type: RecordType;
  /** All of its bytes. */
  readonly bytes: Uint8Array;
}

/** Reads the fields of a struct from all of its bytes. */
export async function fieldsOfStruct(scope: Scope, struct: Struct): Promise<StructFields> {
  const { type, bytes } = struct;
  const isHandle = await handlesIn(type, [bytes], (ids) => scope.rows.live(ids), STEPS_OF_STRUCT);
  const found = readFields(scope, struct, isHandle);
  if (found === undefined) {
    const message = `${bytes.length} bytes have no reading as ${typeName(type)}`;
    return {
      fields: struct.isNamed ? await fieldsByName(scope, type, struct) : [],
      problem: problem("ValueDecode", struct.path, message, bytes),
    };
  }
  const problems = [found, ...found.fields].map(({ problem: wrong }) => wrong?.name);
  if (!problems.includes("Ambiguous")) return found;
  const domains = await scope.domains?.();
  const settled = domains && readFields(scope, struct, isHandle, domains);
  if (settled === undefined || settled.problem !== undefined) return found;
  if (found.problem !== undefined) return settled;
  return { ...found, fields: found.fields.map((field, at) => settledOne(field, settled.fields[at])) };
}

/** The field with its only remaining reading, if other values excluded all others; otherwise the field as it was. */
function settledOne(field: StateField, again: StateField | undefined): StateField {
  return field.problem !== undefined && again?.problem === undefined ? (again ?? field) : field;
}

/**
 * The fields of all readings without unannounced options or, if no such reading exists, with them; undefined without
 * readings.
 */
function readFields(
  scope: Scope,
  struct: Struct,
  isHandle: HandleTest,
  domains?: Domains,
): StructFields | undefined {
  for (const withOptions of [false, true]) {
    const found = readAs(scope, struct, isHandle, withOptions, domains);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The fields of all readings; undefined without readings. Only fields that are the same in all readings have a value.
 */
function readAs(
  scope: Scope,
  { type, bytes, ...place }: Struct,
  isHandle: HandleTest,
  withOptions: boolean,
  domains?: Domains,
): StructFields | undefined {
  const readings = count(type, bytes, isHandle, withOptions, STEPS_OF_STRUCT, domains);
  if (readings === undefined) {
    const message = "the bytes have too many readings; hints can settle which is right";
    return { fields: [], problem: problem("Ambiguous", place.path, message, bytes) };
  }
  const parts = type.fields.map((field) => field.type);
  const reached = spansOf(readings, parts, 0, bytes.length);
  if (reached === undefined) return undefined;
  const fields = type.fields.map(({ name, type: of }, at) =>
    fieldAt(scope, readings, of, name, place, reached[at] as readonly Span[]),
  );
  return { fields, problem: undefined };
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

/** The collections of a struct whose bytes have no reading. The names of the fields give the ids. */
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
        const found = await scope.rows.live(ids);
        if (found.includes(undefined)) continue;
        const handle = new Handle(candidate, handleBytes(candidate, ids));
        const value = collectionOf(scope, handle, { path, field: name, owners: [] });
        return { name, path, value, type: candidate, raw: undefined, problem: undefined };
      }
      const message = "the bytes of the state do not show the field, and no row has its name";
      return unshown(name, problem("FieldNotFound", path, message));
    }),
  );
}

/**
 * The codec of the value of a field, or of an entry without its key: it decodes and encodes the value's bytes exactly.
 * Collections in it are handles. Undefined if the value has a problem.
 *
 * Encoding is for comparison and search: the database of a node must not be changed with it.
 */
export function valueCodec(part: StateField | StateEntry): Codec<unknown> | undefined {
  checkArgument("valueCodec", part, isTyped);
  return part.type && codecOf(part.type);
}
