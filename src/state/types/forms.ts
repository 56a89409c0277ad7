/** The forms that values of the storage library have in the layouts of State. */
import type { CollectionType, Type } from "./type.js";

/** The forms of values in a layout of State. */
export interface ValueForms {
  /** True if handles contain the kinds of their collections, and empty collections may have no entity. */
  readonly hasTags: boolean;
  /** True if entries of maps hold their value before their key. */
  readonly isValueFirst: boolean;
  /** Bytes of the stamp of a register. A register that is the whole value of a map's entry may have none if they are 16. */
  readonly stamp: 56 | 16;
}

/** The forms up to core-0.11. */
export const PLAIN_FORMS: ValueForms = { hasTags: false, isValueFirst: false, stamp: 56 };

/** The forms since core-1.0. */
export const TAGGED_FORMS: ValueForms = { hasTags: true, isValueFirst: true, stamp: 16 };

/** A collection in the form of a layout. */
export function formed(type: CollectionType, { hasTags }: ValueForms): CollectionType {
  return hasTags ? { ...type, isTagged: true } : type;
}

/** A register in the form of a layout. */
export function registerOf(of: Type, { stamp }: ValueForms): Type {
  return { kind: "register", of, stamp };
}

/** The type of the values of a map: a register may leave its stamp to the entity, if it is the whole value. */
export function valueOfMap(type: Type, { stamp }: ValueForms): Type {
  const plain = type.kind === "loose" ? type.of : type;
  if (stamp !== 16 || plain.kind !== "register") return type;
  return { kind: "choice", of: [{ ...plain, stamp: 0 }, type] };
}
