/** The kinds of memory in which a caller may hold bytes. */
import { runInNewContext } from "node:vm";

/** The class of another realm, such as an iframe, jsdom or node:vm: its arrays are not `instanceof Uint8Array`. */
export const OtherUint8Array = runInNewContext("Uint8Array") as typeof Uint8Array;

/** Returns a holder of `length` bytes that is used again and again, as programs do to save memory. */
export type MakeHolder = (length: number) => Uint8Array;

export const kindsOfBytes: Readonly<Record<string, MakeHolder>> = {
  Uint8Array: (length) => new Uint8Array(length),
  Buffer: (length) => Buffer.alloc(length),
  "Buffer of a pool": (length) => Buffer.allocUnsafe(length),
  "part of a Uint8Array": (length) => new Uint8Array(length + 10).subarray(3, 3 + length),
  "part of a Buffer": (length) => Buffer.alloc(length + 10).subarray(3, 3 + length),
  "Uint8Array of another realm": (length) => new OtherUint8Array(length),
  "shared memory": (length) => new Uint8Array(new SharedArrayBuffer(length)),
};

/** Values that are an `instanceof Uint8Array` and cannot be read as one. */
export function unreadableBytes(): Readonly<Record<string, Uint8Array>> {
  class Longer extends Uint8Array {
    override get length(): number {
      return 40;
    }
  }
  const detached = new Uint8Array(32);
  structuredClone(detached, { transfer: [detached.buffer] });
  const redefined = Object.defineProperty(new Uint8Array(32), "length", { value: 31 });
  return {
    "a proxy": new Proxy(new Uint8Array(32), {}),
    "a detached buffer": detached,
    "a subclass with another length": new Longer(32),
    "a length that was defined again": redefined,
    "an object with the prototype": Object.create(Uint8Array.prototype) as Uint8Array,
  };
}

/** Copies bytes into a holder of a kind; `spoil` overwrites them afterwards. */
export class Hand {
  readonly #make: MakeHolder;
  readonly #given: Uint8Array[] = [];

  constructor(make: MakeHolder) {
    this.#make = make;
  }

  give(bytes: Uint8Array): Uint8Array {
    const holder = this.#make(bytes.length);
    holder.set(bytes);
    this.#given.push(holder);
    return holder;
  }

  /** Overwrites everything that was given. */
  spoil(): void {
    for (const holder of this.#given) holder.fill(0xee);
    this.#given.length = 0;
  }
}
