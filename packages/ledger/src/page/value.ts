/** Values and priorities as a program passes them. */
import {
  copyBytes,
  count,
  counted,
  describeValue,
  invalidArgument,
  isBytes,
  isOneOf,
  type OptionCheck,
} from "merostore/internal";
import { within } from "../callbacks.js";
import type { ObjectIdentifier } from "../objects.js";
import type { Release } from "../storage/holds.js";
import type { ValueStore } from "../storage/value-store.js";
import type { Priority } from "../tables/tree-node.js";
import { textOrBytes } from "./key.js";

/** A value: bytes, text, which stands for its UTF-8 bytes, or a stream of bytes. */
export type EntryValue = Uint8Array | string | AsyncIterable<Uint8Array>;

/**
 * Returns a copy of the value, or a stream of copies of its chunks.
 *
 * @param valueSource the owner of calls to the source of a stream, see `within`
 * @throws MerostoreError INVALID_ARGUMENT if it is not a value
 */
export function valueBytes(value: EntryValue, valueSource: object): Uint8Array | AsyncIterable<Uint8Array> {
  const isStream = typeof value === "object" && value !== null && Symbol.asyncIterator in value;
  return isStream ? copyChunks(value, valueSource) : textOrBytes(value, "a value");
}

/**
 * Runs a call that takes a value. If it is rejected, a stream that was passed is destroyed, also one that was never
 * read.
 */
export async function takingValue<T>(value: unknown, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    await giveUp(value);
    throw error;
  }
}

/** The methods that end streams of Node, streams of the Web, and generators. */
interface Destroyable {
  readonly destroy?: () => void;
  readonly cancel?: () => Promise<void>;
  readonly return?: () => Promise<unknown>;
}

/** Destroys a stream that will not be read to its end. Other values have nothing to destroy. */
export async function giveUp(value: unknown): Promise<void> {
  if (typeof value !== "object" || value === null || isBytes(value)) return;
  const stream = value as Destroyable;
  try {
    if (typeof stream.destroy === "function") stream.destroy();
    else if (typeof stream.cancel === "function") await stream.cancel();
    else if (typeof stream.return === "function") await stream.return();
  } catch {
    // The call has its own error.
  }
}

async function* copyChunks(
  source: AsyncIterable<Uint8Array>,
  valueSource: object,
): AsyncGenerator<Uint8Array, void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  let mustEnd = false;
  try {
    for (;;) {
      mustEnd = false; // like `for await`: an iterator that throws is not closed
      const { done, value } = await within(valueSource, () => iterator.next());
      if (done === true) return;
      mustEnd = true;
      if (!isBytes(value)) throw invalidArgument("a value that comes piece by piece comes as bytes");
      yield copyBytes(value);
    }
  } finally {
    if (mustEnd) await within(valueSource, () => iterator.return?.());
  }
}

/** Checks an option that is a priority. */
export const isPriority: OptionCheck = isOneOf(["eager", "lazy"]);

/**
 * Checks a priority: `eager` unless given.
 * @throws MerostoreError INVALID_ARGUMENT
 */
export function priorityOf(priority: Priority = "eager"): Priority {
  if (priority === "eager" || priority === "lazy") return priority;
  throw invalidArgument("a priority is eager or lazy");
}

/** @throws MerostoreError INVALID_ARGUMENT for a size that no value can have */
export function checkSize(size: number | undefined): void {
  if (size === undefined || (Number.isSafeInteger(size) && size >= 0)) return;
  throw invalidArgument(`the size of a value is a whole number from 0, not ${describeValue(size)}`);
}

declare const brand: unique symbol;

/**
 * Refers to a value that a page holds. Valid for that page in this process, until the connection that made it is
 * closed.
 */
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

  /**
   * Stores the bytes of a value, and makes a reference to it.
   * @throws MerostoreError INVALID_ARGUMENT for a value of another size than `size`
   */
  async store(
    values: ValueStore,
    source: Uint8Array | AsyncIterable<Uint8Array>,
    size: number | undefined,
  ): Promise<ValueReference> {
    const stored = await values.store(source instanceof Uint8Array ? [source] : source);
    if (size === undefined || stored.size === size) return this.add(stored.root, stored.release);
    stored.release();
    values.discard([stored.root]);
    throw invalidArgument(`the value has ${counted(stored.size, "byte")}, not ${count(size)}`);
  }

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
    throw invalidArgument("this is not a reference that this page has given out");
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
