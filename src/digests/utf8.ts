const encoder = new TextEncoder();

/** The UTF-8 bytes of a text, without a length. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}
