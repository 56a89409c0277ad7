/** Checks and copies of byte arrays that callers pass in, longer arrays in place of full ones, and words. */

const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;
const getter = <T>(name: PropertyKey): ((this: unknown) => T) =>
  (Object.getOwnPropertyDescriptor(typedArray, name) as { get(this: unknown): T }).get;
const lengthOf = getter<number>("length");
/** The class of a typed array of any realm; undefined for anything else. */
const classOf = getter<string | undefined>(Symbol.toStringTag);

/**
 * Returns whether `value` is a readable `Uint8Array` (a `Buffer` is one) of any realm, also of an iframe, jsdom or
 * node:vm. Returns false for a proxy, for an array whose buffer was transferred, and for an array that reports a false
 * length. Callers copy arrays that they keep or return, or convert them to this realm with {@link ownBytes}.
 */
export function isBytes(value: unknown): value is Uint8Array {
  if (classOf.call(value) !== "Uint8Array") return false;
  const length = lengthOf.call(value);
  return (value as Uint8Array).length === length && (length > 0 || !isDetached((value as Uint8Array).buffer));
}

/** Bytes as an argument: returns undefined for bytes, otherwise a description of them. */
export function isByteArray(value: unknown): string | undefined {
  return isBytes(value) ? undefined : "a Uint8Array";
}

/** The same bytes as a `Uint8Array` of this realm: a view of the bytes of another realm. */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  const given: unknown = bytes;
  if (given instanceof Uint8Array) return given;
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

/**
 * Copies bytes into a plain `Uint8Array` with its own memory. `slice()` of a `Buffer` returns a view, which changes
 * when the caller reuses the buffer.
 */
export function copyBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

/** Copies a shorter array to the beginning of a longer one, and returns the longer one. */
export function grown<
  T extends Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array | BigUint64Array,
>(from: T, to: T): T {
  (to as Uint8Array).set(from as Uint8Array);
  return to;
}

/** Reads a little-endian u32, faster than a view. */
export function wordAt(bytes: Uint8Array, at: number): number {
  return signedWordAt(bytes, at) >>> 0;
}

/** {@link wordAt} as a signed number, which is faster where only the bits count. */
export function signedWordAt(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  );
}

/** Returns true if the bytes from `from` up to `to` are zeros, as in an id that stands for none. */
export function isZeros(bytes: Uint8Array, from = 0, to = bytes.length): boolean {
  for (let at = from; at < to; at++) if (bytes[at] !== 0) return false;
  return true;
}

/**
 * Returns whether a buffer was transferred. An empty buffer differs from a transferred one only in that views of it can
 * be created.
 */
function isDetached(buffer: ArrayBufferLike): boolean {
  if (buffer.byteLength > 0) return false;
  try {
    new Uint8Array(buffer);
    return false;
  } catch {
    return true;
  }
}
