/** The shape of values: for programs that lay them out in another way, as columns of a table for example. */
/** Fields by name, with their codecs, in the order of their bytes. */
export type FieldsOf<C> = readonly (readonly [name: string, codec: C])[];

/** The shape of the values of a codec `C`. Codecs inside have shapes of their own. */
export type ShapeOf<C> =
  /** `true` or `false`, a text, or the empty value, which is null. */
  | { readonly is: "bool" | "text" | "unit" }
  /** A whole number, negative ones too if it is signed: a number up to 32 bits, above a bigint. */
  | { readonly is: "integer"; readonly bits: 8 | 16 | 32 | 64 | 128; readonly signed: boolean }
  /** A number with a fraction. */
  | { readonly is: "float"; readonly bits: 32 | 64 }
  /** A `Uint8Array` of any length, or of this one. */
  | { readonly is: "bytes"; readonly length: number | undefined }
  /** One of these texts. */
  | { readonly is: "names"; readonly names: readonly string[] }
  /** Null, or the value of another codec. */
  | { readonly is: "option"; readonly of: C }
  /** An array. */
  | { readonly is: "list"; readonly of: C }
  /** An array with a value of each codec. */
  | { readonly is: "tuple"; readonly of: readonly C[] }
  /** A `Map` whose keys are texts: hex for ids, JSON for keys that are neither texts nor ids. */
  | { readonly is: "map"; readonly key: C; readonly value: C }
  /** An object. */
  | { readonly is: "struct"; readonly fields: FieldsOf<C> }
  /**
   * An object whose `kind` is the name of a variant, which decides its other fields. `untagged` variants are layouts of
   * one value without a tag: fields of one name mean the same in each.
   */
  | {
      readonly is: "enum";
      readonly variants: readonly (readonly [kind: string, fields: FieldsOf<C>])[];
      readonly untagged?: true;
    }
  /** A `Payload` of another codec. */
  | { readonly is: "payload"; readonly of: C }
  /** The value of another codec, which is a secret. */
  | { readonly is: "secret"; readonly of: C }
  /**
   * The value of a type inside itself. `of` returns undefined, and `whenDefined` keeps the call, until the type is
   * defined.
   */
  | {
      readonly is: "self";
      readonly of: () => C | undefined;
      readonly whenDefined: (call: () => void) => void;
    }
  /** A codec that does not declare its shape: only its JSON form is known. */
  | { readonly is: "other" };
