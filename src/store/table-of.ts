/** Types of the argument of `table`, and of the messages about a name or a class that the store does not have. */
import type { AnyKeyClass } from "../keys/index.js";
import type { KindsOf, RevisionOf, RowOfClass, RowsOfKind, Schema } from "../schemas/index.js";

/** The name of a kind of row, or its key class. */
export type TableName = string | AnyKeyClass;

/** The row of the kind with a name or a key class. */
export type RowNamed<S extends Schema, T> = T extends AnyKeyClass ? RowOfClass<S, T> : RowsOfKind<S, T>;

/** A sentence that the compiler prints for a name that the schema does not have, or for a class of another schema. */
export type NoTable<S extends Schema, T> =
  string extends KindsOf<S>
    ? unknown
    : T extends string
      ? Hint<KindsOf<S>, T>
      : T extends AnyKeyClass
        ? `${T["KIND"]} is of ${RevisionOf<T>}, and not of this store`
        : never;

type Hint<K extends string, T extends string> = [Near<K, T>] extends [never]
  ? `no kind of row is called ${T}`
  : `did you mean ${Near<K, T>}?`;

/** The kinds with which a text begins, ignoring case; otherwise the kinds with the same first eight or five letters. */
type Near<K extends string, T extends string> = FirstOf<
  [Beginning<K, Lowercase<T>>, Starting<K, Start8<T>>, Starting<K, Start5<T>>]
>;
type FirstOf<L extends readonly [string, string, string]> = [L[0]] extends [never]
  ? [L[1]] extends [never]
    ? L[2]
    : L[1]
  : L[0];
type Beginning<K extends string, T extends string> = K extends unknown
  ? T extends `${Lowercase<K>}${string}`
    ? K
    : never
  : never;
type Starting<K extends string, T extends string> = K extends `${T}${string}` ? K : never;
// Written without recursion, because the compiler would recurse endlessly for an unknown text.
type Start8<T extends string> =
  T extends `${infer A}${infer B}${infer C}${infer D}${infer E}${infer F}${infer G}${infer H}${string}`
    ? `${A}${B}${C}${D}${E}${F}${G}${H}`
    : never;
type Start5<T extends string> = T extends `${infer A}${infer B}${infer C}${infer D}${infer E}${string}`
  ? `${A}${B}${C}${D}${E}`
  : never;
