/** Byte strings, one after another, in a new one. */
export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return concatAll(parts);
}

/** As {@link concat}, of any number: a call takes about a hundred thousand arguments at most. */
export function concatAll(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
