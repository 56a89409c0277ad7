/** The shape of values: for programs that lay them out in another way, as columns of a table for example. */
import type { Codec } from "./codec.js";

/** Fields by name, with their codecs, in the order of their bytes. */
export type ShapeFields = readonly (readonly [name: string, codec: Codec<unknown>])[];

/** The shape of the values of a codec. Codecs inside have shapes of their own. */
export type Shape =
  /** `true` or `false`, a text, or the empty value, which is null. */
  | { readonly is: "bool" | "text" | "unit" }
  /** A whole number from 0: a number up to 32 bits, above a bigint. */
  | { readonly is: "integer"; readonly bits: 8 | 32 | 64 | 128 }
  /** A `Uint8Array` of any length, or of this one. */
  | { readonly is: "bytes"; readonly length: number | undefined }
  /** One of these texts. */
  | { readonly is: "names"; readonly names: readonly string[] }
  /** Null, or the value of another codec. */
  | { readonly is: "option"; readonly of: Codec<unknown> }
  /** An array. */
  | { readonly is: "list"; readonly of: Codec<unknown> }
  /** An array of two. */
  | { readonly is: "pair"; readonly first: Codec<unknown>; readonly second: Codec<unknown> }
  /** A `Map` whose keys are texts: hex for ids. */
  | { readonly is: "map"; readonly key: Codec<unknown>; readonly value: Codec<unknown> }
  /** An object. */
  | { readonly is: "struct"; readonly fields: ShapeFields }
  /** An object whose `kind` is the name of a variant, which decides its other fields. */
  | { readonly is: "enum"; readonly variants: readonly (readonly [kind: string, fields: ShapeFields])[] }
  /** A `Payload` of another codec. */
  | { readonly is: "payload"; readonly of: Codec<unknown> }
  /** The value of another codec, which is a secret. */
  | { readonly is: "secret"; readonly of: Codec<unknown> }
  /** A codec that does not declare its shape: only its JSON form is known. */
  | { readonly is: "other" };
