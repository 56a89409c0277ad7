/** Base64 with the alphabet for URLs and names of files (RFC 4648, section 5), padded with `=`. */
import { base64url } from "@scure/base";

/** Four characters for every three bytes begun. */
export function toBase64url(bytes: Uint8Array): string {
  return base64url.encode(bytes);
}

/** The bytes of a text; undefined for one that {@link toBase64url} does not give. */
export function fromBase64url(text: string): Uint8Array | undefined {
  try {
    return base64url.decode(text);
  } catch {
    return undefined;
  }
}
