/**
 * Names of ledgers. A name is bytes, written as text. Each byte that is not UTF-8 becomes a lone surrogate, U+DC80 to
 * U+DCFF, as in Python's `surrogateescape`. So every name has exactly one text, and every such text exactly one name.
 */
import { concatAll, invalidArgument, type MerostoreError, orUndefined } from "merostore/internal";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The surrogate of a byte is this number plus the byte, which is 0x80 or more. */
const ESCAPE = 0xdc00;
const ONE_SURROGATE = /^\p{Surrogate}$/u;

/**
 * Returns the bytes of the name of a ledger.
 * @throws MerostoreError INVALID_ARGUMENT for a text with other lone surrogates: it is not the name of a ledger
 */
export function ledgerNameBytes(name: string): Uint8Array {
  if (typeof name !== "string") throw invalidName("must be a non-empty text or bytes");
  if (name.isWellFormed()) return encoder.encode(name);
  const bytes = concatAll(Array.from(name, (character) => bytesOf(character)));
  // Surrogates whose bytes together are UTF-8 are refused: the name has another text.
  if (ledgerNameOf(bytes) !== name) throw invalidName("must be a well-formed text or bytes");
  return bytes;
}

/** Returns the text of a name. */
export function ledgerNameOf(bytes: Uint8Array): string {
  const whole = decoded(bytes);
  if (whole !== undefined) return whole;
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const character = characterAt(bytes, at);
    text += character ?? String.fromCharCode(ESCAPE + (bytes[at] as number));
    at += character === undefined ? 1 : encoder.encode(character).length;
  }
  return text;
}

/** The error for a name that is not valid. */
export function invalidName(what: string): MerostoreError {
  return invalidArgument(`the name of a ledger ${what}`);
}

function bytesOf(character: string): Uint8Array {
  if (!ONE_SURROGATE.test(character)) return encoder.encode(character);
  const byte = character.charCodeAt(0) - ESCAPE;
  if (byte < 0x80 || byte > 0xff) throw invalidName("must be a well-formed text or bytes");
  return Uint8Array.of(byte);
}

/** The character that begins at an offset; undefined if none does. */
function characterAt(bytes: Uint8Array, at: number): string | undefined {
  for (let size = 1; size <= 4 && at + size <= bytes.length; size++) {
    const text = decoded(bytes.subarray(at, at + size));
    if (text !== undefined) return text;
  }
  return undefined;
}

function decoded(bytes: Uint8Array): string | undefined {
  return orUndefined(() => decoder.decode(bytes));
}
