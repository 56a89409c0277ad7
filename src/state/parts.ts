/** The application's data as a tree: each part with its name, its path and its entity, and the parts in it a page at a time. */
import { applicationStateId } from "../digests/index.js";
import { checkArgument, hasMembers, isText } from "../options.js";
import { isPart, isState } from "./arguments.js";
import { StateCollection } from "./collections/collection.js";
import { StateMap } from "./collections/map.js";
import type { StateEntry } from "./collections/scope.js";
import { StateSet } from "./collections/set.js";
import { StateShared } from "./collections/shared.js";
import { StateVector } from "./collections/vector.js";
import { fieldPath, indexPath, keyPath, type PathStep, parsePath } from "./path.js";
import type { PrivateStruct } from "./private.js";
import { StateError, type StateProblem } from "./problem.js";
import type { State } from "./state.js";
import type { Type } from "./types/type.js";
import { rustType } from "./types/type-name.js";
import { keyName, PairsValue, RegisterValue, VariantValue } from "./types/values.js";

/** A part of the application's data: a field, an entry of a collection, or a part of a value. */
export interface StatePart {
  /** The path: `items["alice"]`. */
  readonly path: string;
  /**
   * The meaning of the name: the name of a field or a variant, the key in a map, the place in a list, an element of a
   * set.
   */
  readonly named: "field" | "key" | "index" | "element";
  /** The name. */
  readonly name: string;
  /** The value, with lazy collections in it; undefined if there is a problem. */
  readonly value: unknown;
  /** The problem; undefined if there is none. */
  readonly problem: StateProblem | undefined;
  /** The type as Rust writes it; undefined if it is not known. */
  readonly type: string | undefined;
  /**
   * The entity that holds the part, 32 bytes; undefined for a part of another part's value, and for a field of a private
   * struct that is not a collection: no entity holds a private struct.
   */
  readonly entity: Uint8Array | undefined;
  /** @internal The exact type. */
  readonly exact: Type | undefined;
}

/** Some of the parts in a part. */
export interface StatePartPage {
  /** The parts. */
  readonly parts: readonly StatePart[];
  /** The number of all. */
  readonly total: number;
}

/** The fields of a state or of a private struct as parts. */
export function fieldParts(of: State | PrivateStruct): readonly StatePart[] {
  checkArgument("fieldParts", of, hasMembers("a state or a private struct", "fields"));
  const holder = "contextId" in of ? applicationStateId() : undefined;
  return of.fields.map(({ name, path, value, problem, type, entity }) => ({
    ...typed(value instanceof StateCollection ? value.type : type),
    path,
    named: "field",
    name,
    value,
    problem,
    entity: value instanceof StateCollection ? value.id : (entity ?? holder),
  }));
}

/**
 * Returns the part at a path. `State.get` returns its value. Undefined if nothing is at the path.
 *
 * @param struct the name of the private struct that the path begins with; undefined for the state
 * @throws MerostoreError `INVALID_ARGUMENT` for a text that is not a path
 * @throws StateError for a part on the way that cannot be shown
 */
export async function partAt(state: State, path: string, struct?: string): Promise<StatePart | undefined> {
  checkArgument("partAt", state, isState);
  checkArgument("partAt", path, isText);
  const steps = [...parsePath(path)];
  if (struct !== undefined) steps.shift();
  const of = struct === undefined ? state : state.privateStructs.find(({ name }) => name === struct);
  const [first, ...rest] = steps;
  let part = of && fieldParts(of).find(({ name }) => name === String(first));
  for (const step of rest) {
    if (part === undefined) return undefined;
    part = await oneIn(part, step);
  }
  return part;
}

/** The number of parts in a part; undefined for a part that cannot have any: a text, a number, a counter, a problem. */
export async function partCount(part: StatePart): Promise<number | undefined> {
  checkArgument("partCount", part, isPart);
  const { value, problem } = await contentOf(part);
  if (problem !== undefined) return undefined;
  if (value instanceof StateMap || value instanceof StateSet || value instanceof StateVector)
    return value.size();
  if (value instanceof StateCollection) return undefined;
  return innerParts({ ...part, value })?.length;
}

/**
 * Some of the parts in a part, in stored order: entries of a collection by the time when they were made.
 *
 * @param from the place of the first, from 0
 * @param count at most this many
 * @throws StateError for a part with a problem, and if a collection cannot be opened
 */
export async function partsIn(part: StatePart, from: number, count: number): Promise<StatePartPage> {
  checkArgument("partsIn", part, isPart);
  const content = await shownContent(part);
  const { value } = content;
  if (value instanceof StateMap || value instanceof StateSet || value instanceof StateVector) {
    const entries = await value.page(from, count);
    return {
      parts: entries.map((entry, at) => entryPart(value, entry, from + at)),
      total: await value.size(),
    };
  }
  const inner = innerParts(content) ?? [];
  return { parts: inner.slice(from, from + count), total: inner.length };
}

/** The content of a part: the value in a register or in a shared value, which have no parts of their own. */
async function contentOf(part: StatePart): Promise<StatePart> {
  const { value, exact, problem } = part;
  if (problem !== undefined) return part;
  if (value instanceof RegisterValue)
    return contentOf({ ...part, value: value.value, exact: exact && ofType(exact) });
  if (!(value instanceof StateShared)) return part;
  const entry = await value.value();
  if (entry === undefined) return { ...part, value: undefined };
  return contentOf({ ...part, value: entry.value, problem: entry.problem, exact: entry.type });
}

/** The value of a part, without the registers and shared values around it; undefined if nothing was written. */
export async function partContent(part: StatePart): Promise<Pick<StatePart, "value" | "problem">> {
  checkArgument("partContent", part, isPart);
  return contentOf(part);
}

async function shownContent(part: StatePart): Promise<StatePart> {
  const content = await contentOf(part);
  if (content.problem !== undefined) throw new StateError(content.problem);
  return content;
}

function entryPart(of: StateCollection, entry: StateEntry, index: number): StatePart {
  const { id, path, key, value, problem, type } = entry;
  const inner = value instanceof StateCollection ? value.type : type;
  const named = of instanceof StateSet ? "element" : of instanceof StateVector ? "index" : "key";
  const name = named === "index" ? String(index) : key === undefined ? "" : keyName(key);
  const exact = of.type.kind === "set" ? of.type.item : inner;
  return { ...typed(exact), path, named, name, value, problem, entity: id };
}

async function oneIn(part: StatePart, step: PathStep): Promise<StatePart | undefined> {
  const content = await shownContent(part);
  const { value } = content;
  if (value instanceof StateMap || value instanceof StateSet) {
    const entry = await value.get(String(step));
    return entry && entryPart(value, entry, 0);
  }
  if (value instanceof StateVector) {
    const [entry] = typeof step === "number" ? await value.page(step, 1) : [];
    return entry && entryPart(value, entry, Number(step));
  }
  return innerParts(content)?.find(({ name }) => name === String(step));
}

/** The parts of a value that is not a collection; undefined for one without parts. */
function innerParts({ value, path, exact }: StatePart): readonly StatePart[] | undefined {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return undefined;
  if (value instanceof StateCollection) return undefined;
  const inside = withoutOptions(exact);
  const part = (
    named: StatePart["named"],
    name: string,
    one: unknown,
    type: Type | undefined,
    at: string,
  ): StatePart => ({
    ...typed(one instanceof StateCollection ? one.type : type),
    path: at,
    named,
    name,
    value: one,
    problem: undefined,
    entity: one instanceof StateCollection ? one.id : undefined,
  });
  if (value instanceof VariantValue) {
    if (value.payload === undefined) return undefined;
    const types = inside?.kind === "variant" ? inside.variants : [];
    const type = types.find(({ name }) => name === value.name)?.payload;
    return [part("field", value.name, value.payload, type, fieldPath(path, value.name))];
  }
  if (value instanceof PairsValue)
    return value.pairs.map(([key, one]) => {
      const name = keyName(key);
      return part("key", name, one, inside?.kind === "pairs" ? inside.value : undefined, keyPath(path, name));
    });
  if (Array.isArray(value))
    return value.map((one, at) => {
      const type =
        inside?.kind === "tuple" ? inside.elements[at] : inside?.kind === "list" ? inside.item : undefined;
      return part("index", String(at), one, type, indexPath(path, at));
    });
  return Object.entries(value).map(([name, one]) => {
    const type = inside?.kind === "record" ? inside.fields.find((field) => field.name === name) : undefined;
    return part("field", name, one, type?.type, fieldPath(path, name));
  });
}

function withoutOptions(type: Type | undefined): Type | undefined {
  return type?.kind === "option" || type?.kind === "loose" ? withoutOptions(type.of) : type;
}

function ofType(type: Type): Type | undefined {
  const inner = withoutOptions(type);
  return inner?.kind === "register" ? inner.of : inner;
}

function typed(exact: Type | undefined): Pick<StatePart, "type" | "exact"> {
  return { exact, type: exact && rustType(exact) };
}
