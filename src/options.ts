/** Checks of the options of public functions. */
import { invalidArgument } from "./errors.js";

/** Returns undefined if `value` is valid, otherwise a description of valid values. `undefined` is never passed. */
export type OptionCheck = (value: unknown) => string | undefined;

/** A check for each option of a function. An option without a check does not compile. */
export type OptionChecks<Options> = { readonly [Name in keyof Required<Options>]: OptionCheck };

/**
 * Throws INVALID_ARGUMENT unless `options` is absent, or a plain object whose names are all in `checks` and whose
 * values pass them. An option that is `undefined` counts as absent.
 *
 * @param caller names the function in the message
 */
export function checkOptions<Options>(
  caller: string,
  options: Options | undefined,
  checks: OptionChecks<Options>,
): void {
  checkFields(`the options of ${caller}`, options, checks);
}

/**
 * Throws INVALID_ARGUMENT unless an argument passes a check.
 *
 * @param caller names the function in the message
 */
export function checkArgument(caller: string, value: unknown, check: OptionCheck): void {
  const expected = check(value);
  if (expected !== undefined)
    throw invalidArgument(`${caller} takes ${expected}, not ${describeValue(value)}`);
}

/** {@link checkOptions} for any object of named fields; `what` names it in the message. */
export function checkFields<Fields>(
  what: string,
  fields: Fields | undefined,
  checks: OptionChecks<Fields>,
): void {
  if (fields === undefined) return;
  if (!isPlainObject(fields))
    throw invalidArgument(`expected ${what} as a plain object, not ${describeValue(fields)}`);
  for (const key of Reflect.ownKeys(fields)) {
    const name = String(key);
    if (!Object.hasOwn(checks, key)) {
      const names = Object.keys(checks).join(", ");
      throw invalidArgument(`unknown name ${JSON.stringify(name)} in ${what}; the known names are ${names}`);
    }
    const { get, value } = Object.getOwnPropertyDescriptor(fields, key) as PropertyDescriptor;
    if (get !== undefined) throw invalidArgument(`${name} in ${what} must be a value, not a getter`);
    const expected = value === undefined ? undefined : (checks[name as keyof Fields] as OptionCheck)(value);
    if (expected !== undefined)
      throw invalidArgument(`${name} in ${what} must be ${expected}, not ${describeValue(value)}`);
  }
}

/** `true` or `false`. */
export const isFlag: OptionCheck = (value) => (typeof value === "boolean" ? undefined : "true or false");

/** Any string. */
export const isText: OptionCheck = (value) => (typeof value === "string" ? undefined : "a string");

/** Returns whether a value is an object, not an array. */
export function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An `AbortSignal`, of any realm. */
export const isSignal: OptionCheck = (value) =>
  Object.prototype.toString.call(value) === "[object AbortSignal]" ? undefined : "an AbortSignal";

/** A list. */
export const isList: OptionCheck = (value) => (Array.isArray(value) ? undefined : "an array");

/** A function. */
export const isFunction: OptionCheck = (value) => (typeof value === "function" ? undefined : "a function");

/** An object or function with some members. `what` names it in the message. */
export function hasMembers(what: string, ...names: readonly string[]): OptionCheck {
  return (value) =>
    (isObject(value) || typeof value === "function") && names.every((name) => name in (value as object))
      ? undefined
      : what;
}

/** An object. */
export const isRecord: OptionCheck = hasMembers("an object");

/** A `Store`, a snapshot of one, or an overlay. */
export const isReader: OptionCheck = hasMembers("a store, or a snapshot of one", "raw", "schema", "columns");

/** An `EngineReader`. */
export const isEngine: OptionCheck = hasMembers("an engine", "columns", "get", "scan");

/** A list of objects with some members. `what` names it in the message. */
export function isListOf(what: string, ...names: readonly string[]): OptionCheck {
  const isItem = hasMembers(what, ...names);
  return (value) =>
    Array.isArray(value) && value.every((item) => isItem(item) === undefined) ? undefined : what;
}

/** A list, or another iterable object. */
export const isIterable: OptionCheck = (value) =>
  typeof value === "object" && value !== null && Symbol.iterator in value ? undefined : "an iterable object";

/** Pieces of bytes, one after another. */
export const isPieces: OptionCheck = (value) =>
  isObject(value) && Symbol.asyncIterator in (value as object) ? undefined : "an async iterable of bytes";

/** A whole number from `least` to `most`. */
export function isWholeNumber(least: number, most: number = Number.MAX_SAFE_INTEGER): OptionCheck {
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`;
  return (value) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
      ? undefined
      : `a whole number ${range}`;
}

/** One of the given values. */
export function isOneOf(choices: readonly (string | boolean)[]): OptionCheck {
  return (value) =>
    choices.includes(value as string)
      ? undefined
      : `one of ${choices.map((choice) => JSON.stringify(choice)).join(", ")}`;
}

/** Describes a value in a message: the value itself if it is short, otherwise its type. */
export function describeValue(value: unknown): string {
  if (typeof value === "string") return value.length > 40 ? "a string" : JSON.stringify(value);
  if (value === null || ["number", "boolean", "undefined"].includes(typeof value)) return String(value);
  if (Array.isArray(value)) return "an array";
  if (value instanceof Uint8Array) return "bytes";
  if (value instanceof Map) return "a Map";
  if (value instanceof Set) return "a Set";
  if (typeof value === "object") return isPlainObject(value) ? "an object" : "an object of a class";
  return `a ${typeof value}`;
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: object | null = Object.getPrototypeOf(value);
  // Objects of another realm have an `Object.prototype` of their own.
  return prototype === null || prototype === Object.prototype || isForeignObjectPrototype(prototype);
}

function isForeignObjectPrototype(prototype: object): boolean {
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "isPrototypeOf");
}
