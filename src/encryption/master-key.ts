/** Master keys: their forms, their length and their sources. */
import { copyBytes, isByteArray, isBytes } from "../bytes/bytes.js";
import { count } from "../bytes/quantity.js";
import { invalidArgument } from "../errors.js";
import type { OptionCheck } from "../options.js";
import { checkArgument } from "../options.js";
import type { EncryptionRule } from "./rule.js";

/**
 * A master key of 1 to 2,048 bytes, or a function that returns it and is called once. Nodes of core-0.11 require at
 * least 32 bytes. The bytes are copied, and closing the database overwrites the copy.
 */
export type MasterKey = Uint8Array | (() => Uint8Array | Promise<Uint8Array>);

/** The most characters of the hex form, as in the node. */
const MOST_DIGITS = 4096;
const MOST_BYTES = MOST_DIGITS / 2;
/** Nodes of core-0.11 refuse a shorter one. */
const SECURE_BYTES = 32;

const EXPECTED = `a Uint8Array of 1 to ${count(MOST_BYTES)} bytes`;

/**
 * The check of an option with a master key.
 * @internal
 */
export const isMasterKey: OptionCheck = (value) =>
  typeof value === "function" || isKeyBytes(value)
    ? undefined
    : `${EXPECTED}, or a function that returns one`;

/**
 * Returns a copy of the bytes of a master key.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for anything else, and errors of the function
 */
export async function masterKeyBytes(key: MasterKey): Promise<Uint8Array> {
  const bytes = typeof key === "function" ? await key() : key;
  if (!isKeyBytes(bytes)) throw invalidArgument(`the master key must be ${EXPECTED}`);
  return copyBytes(bytes);
}

/**
 * Throws INVALID_ARGUMENT for a key that a node of the rule would not use for writing.
 * @internal
 */
export function checkKeyForWriting(key: Uint8Array, rule: EncryptionRule): void {
  if (rule === "core-0.11" && key.length < SECURE_BYTES)
    throw invalidArgument(
      `the master key has ${key.length} bytes: nodes of core-0.11 need ${SECURE_BYTES} or more, so nothing is written with it`,
    );
}

/**
 * Reads a master key from the bytes of a file or a variable: hex digits, as the node's key service returns them,
 * optionally surrounded by white space.
 *
 * @param what the name of the source in messages
 * @throws MerostoreError `INVALID_ARGUMENT`, without any of the bytes
 */
export function masterKeyFromHex(text: Uint8Array, what: string): Uint8Array {
  checkArgument("masterKeyFromHex", text, isByteArray);
  let from = 0;
  let to = text.length;
  while (from < to && isSpace(text[from] as number)) from++;
  while (to > from && isSpace(text[to - 1] as number)) to--;
  const digits = to - from;
  if (digits === 0 || digits > MOST_DIGITS || digits % 2 !== 0)
    throw invalidArgument(
      `${what} must hold a master key as hex: an even number of digits, at most ${count(MOST_DIGITS)}`,
    );
  const key = new Uint8Array(digits / 2);
  let wrong = 0;
  for (let at = 0; at < digits; at++) {
    const digit = digitOf(text[from + at] as number);
    wrong |= digit;
    key[at >> 1] = ((key[at >> 1] as number) << 4) | digit;
  }
  if (wrong <= 15) return key;
  key.fill(0);
  throw invalidArgument(`${what} must hold a master key as hex: only the digits 0-9 and a-f`);
}

/**
 * The most bytes of a file that {@link masterKeyFromHex} needs: the digits, and some white space.
 * @internal
 */
export const KEY_FILE_BYTES = MOST_DIGITS + 64;

function isKeyBytes(value: unknown): value is Uint8Array {
  return isBytes(value) && value.length >= 1 && value.length <= MOST_BYTES;
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

/** Returns the value of a hex digit; 255 for any other character. */
function digitOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = (code | 32) - 97;
  return letter >= 0 && letter < 6 && code < 128 ? letter + 10 : 255;
}
