/** Pieces of what is hashed and signed. */
const encoder = new TextEncoder();

/** The UTF-8 bytes of a text, without a length. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** One after another. */
export function concat(...parts: readonly Uint8Array[]): Uint8Array {
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
