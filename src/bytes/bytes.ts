/** Byte strings that a caller hands in: what counts as one, and the copy that outlives the call. */

const { get: lengthOf } = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype),
  "length",
) as { get(this: unknown): number };

/**
 * Whether `value` is a `Uint8Array` (a `Buffer` is one) whose bytes can be read. False for a proxy of one, for one whose
 * buffer was transferred elsewhere, and for one that reports another length than it has.
 */
export function isBytes(value: unknown): value is Uint8Array {
  if (!(value instanceof Uint8Array) || !ArrayBuffer.isView(value)) return false;
  const length = lengthOf.call(value);
  return value.length === length && (length > 0 || !isDetached(value.buffer));
}

/**
 * A copy in memory of its own, always a plain `Uint8Array`: `slice()` of a `Buffer` is a view, which changes when the
 * caller uses the buffer again.
 */
export function copyBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

/** Whether a buffer was transferred; an empty buffer that was not differs from it only in that views can be made. */
function isDetached(buffer: ArrayBufferLike): boolean {
  if (buffer.byteLength > 0) return false;
  try {
    new Uint8Array(buffer);
    return false;
  } catch {
    return true;
  }
}
