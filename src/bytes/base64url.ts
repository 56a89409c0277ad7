/** Base64 with the alphabet for URLs and file names (RFC 4648, section 5), padded with `=`. */
import { base64url } from "@scure/base";

/** Encodes bytes: four characters for every three bytes, the last group padded. */
export function toBase64url(bytes: Uint8Array): string {
  return base64url.encode(bytes);
}

/** Decodes a text. Returns undefined for a text that {@link toBase64url} cannot return. */
export function fromBase64url(text: string): Uint8Array | undefined {
  try {
    return base64url.decode(text);
  } catch {
    return undefined;
  }
}
