/** Checks and copies of byte arrays that callers pass in. */

const { get: lengthOf } = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype),
  "length",
) as { get(this: unknown): number };

/**
 * Whether `value` is a `Uint8Array` (a `Buffer` is one) whose bytes can be read. Returns false for a proxy, for an
 * array whose buffer was transferred, and for an array that reports a false length.
 */
export function isBytes(value: unknown): value is Uint8Array {
  if (!(value instanceof Uint8Array) || !ArrayBuffer.isView(value)) return false;
  const length = lengthOf.call(value);
  return value.length === length && (length > 0 || !isDetached(value.buffer));
}

/**
 * Copies bytes into a plain `Uint8Array` with its own memory. `slice()` of a `Buffer` returns a view, which changes
 * when the caller reuses the buffer.
 */
export function copyBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

/**
 * Whether a buffer was transferred. An empty buffer differs from a transferred one only in that views of it can be
 * created.
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
