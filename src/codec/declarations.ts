/** Checks of declarations. They refuse a type whose values JavaScript objects could not hold as declared. */
import { invalidArgument } from "../errors.js";
import { Codec, type Size } from "./codec.js";
import { describe } from "./errors.js";

/** The most tags that fit into a byte. */
const TAGS = 256;

/**
 * Throws INVALID_ARGUMENT for names that properties of an object cannot have, or cannot have in the declared order.
 *
 * @param where the type, or a variant of a type
 * @param what the kind of names: `field`
 * @param declared an object with these names
 */
export function checkNames(where: string, what: string, declared: object): void {
  const refuse = (name: string, why: string): never => {
    throw invalidArgument(`${where}: a ${what} cannot be named "${name}": ${why}`);
  };
  const given: unknown = declared;
  if (typeof given !== "object" || given === null)
    throw invalidArgument(`${where}: an object of ${what}s is expected, not ${describe(given)}`);
  if (declared instanceof Codec && Object.hasOwn(declared, "signature"))
    throw invalidArgument(
      `${where}: an object of ${what}s is expected, and it is the codec ${declared.type ?? declared.signature}`,
    );
  const prototype = Object.getPrototypeOf(declared) as object | null;
  // `{ __proto__: u8 }` sets the prototype, and declares nothing.
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  if (!isPlain || Object.hasOwn(declared, "__proto__"))
    refuse("__proto__", "JavaScript takes it for the prototype of the object");
  const [symbol] = Object.getOwnPropertySymbols(declared);
  if (symbol !== undefined) refuse(String(symbol), "names are texts");
  for (const name of Object.keys(declared))
    if (/^\d+$/.test(name))
      refuse(name, "JavaScript puts integers before all other names, which changes the order");
}

/** Throws INVALID_ARGUMENT unless each name is possible and has a codec. */
export function checkCodecs(where: string, what: string, declared: object): void {
  checkNames(where, what, declared);
  for (const [name, codec] of Object.entries(declared)) checkCodec(`${where}.${name}`, codec);
}

/** Throws INVALID_ARGUMENT unless a part of a declaration is a codec. */
export function checkCodec(where: string, codec: unknown): void {
  if (!(codec instanceof Codec))
    throw invalidArgument(`${where}: a codec is expected, not ${describe(codec)}`);
}

/** Throws INVALID_ARGUMENT unless each variant of an enum has its own name and its own tag, a byte. */
export function checkTags(type: string, kinds: readonly string[], tags: readonly number[] | undefined): void {
  if (!Array.isArray(kinds))
    throw invalidArgument(`${type}: a list of names is expected, not ${describe(kinds)}`);
  const twice = kinds.find((kind, at) => kinds.indexOf(kind) !== at);
  if (kinds.length === 0 || kinds.length > TAGS)
    throw invalidArgument(`${type}: an enum has 1 to ${TAGS} variants, and not ${kinds.length}`);
  if (twice !== undefined) throw invalidArgument(`${type}: the variant "${twice}" is declared twice`);
  if (tags === undefined) return;
  const isByte = (tag: number): boolean => Number.isInteger(tag) && tag >= 0 && tag < TAGS;
  if (tags.length !== kinds.length || !tags.every(isByte) || new Set(tags).size < tags.length)
    throw invalidArgument(`${type}: each variant needs a tag of its own from 0 to ${TAGS - 1}`);
}

/** Throws INVALID_ARGUMENT unless each layout without a tag is a struct without a field `kind`. */
export function checkLayouts(type: string, layouts: Readonly<Record<string, Codec<unknown>>>): void {
  checkCodecs(type, "layout", layouts);
  if (Object.keys(layouts).length === 0) throw invalidArgument(`${type}: at least one layout is needed`);
  for (const [name, { shape }] of Object.entries(layouts))
    if (shape.is !== "struct") throw invalidArgument(`${type}.${name}: a layout has to be a struct`);
    else if (shape.fields.some(([field]) => field === "kind"))
      throw invalidArgument(
        `${type}.${name}: a field of a layout cannot be named "kind", which has its name`,
      );
}

/** Throws INVALID_ARGUMENT for a list, an array or a map whose items may take no bytes: their count has no bound. */
export function checkItems(what: string, { min }: Size): void {
  if (min === 0) throw invalidArgument(`${what} of values without bytes has no bounded length`);
}

/** Throws INVALID_ARGUMENT for an option of values that may be null: null already stands for none. */
export function checkOptional(codec: Codec<unknown>): void {
  const { shape } = codec;
  if (shape.is === "secret" || shape.is === "payload") checkOptional(shape.of);
  else if (shape.is === "option" || shape.is === "unit")
    throw invalidArgument(`an option of ${codec.signature}: null would stand for none and for a value`);
}
