/** References to values: a page holds the value, and it can be put at any number of keys. */
import { MerostoreError } from "merostore/internal";
import type { ObjectIdentifier } from "../objects/identifier.js";
import type { Release } from "../storage/holds.js";

declare const brand: unique symbol;

/** Refers to a value that a page holds. Valid for that page in this process, until the connection that made it is closed. */
export interface ValueReference {
  /** Keeps other objects from being taken for references; no reference has it at run time. */
  readonly [brand]: never;
}

/** The references of all connections to a page. */
export class ValueReferences {
  readonly #known = new Map<
    ValueReference,
    { readonly value: ObjectIdentifier; readonly release: Release }
  >();

  /** Makes a reference to a value. */
  add(value: ObjectIdentifier, release: Release): ValueReference {
    const reference = Object.freeze({}) as ValueReference;
    this.#known.set(reference, { value, release });
    return reference;
  }

  /**
   * Returns the value of a reference.
   * @throws MerostoreError INVALID_ARGUMENT for a reference of another page
   */
  get(reference: ValueReference): ObjectIdentifier {
    const known = this.#known.get(reference);
    if (known !== undefined) return known.value;
    throw new MerostoreError("INVALID_ARGUMENT", "this is not a reference that this page has given out");
  }

  /** Removes references, and returns their values. */
  release(references: Iterable<ValueReference>): ObjectIdentifier[] {
    const values: ObjectIdentifier[] = [];
    for (const reference of references) {
      const known = this.#known.get(reference);
      if (known === undefined) continue;
      this.#known.delete(reference);
      known.release();
      values.push(known.value);
    }
    return values;
  }
}
