/** Ids as they are typed: whole, or their first characters, in hex or base58. */
import { toBase58 } from "../bytes/base58.js";
import { fromHex, toHex } from "../bytes/hex.js";
import { parseId } from "../bytes/id.js";
import { checkArgument, isText } from "../options.js";

/** Characters of a prefix at least. */
export const LEAST_TYPED = 4;
/** Hex digits of an id. */
export const DIGITS = 64;

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Ids between two, both included: 64 hex digits each. */
export interface IdRange {
  /** The first id of the range. */
  readonly from: string;
  /** The last id of the range. */
  readonly last: string;
}

/** The 64 hex digits of a whole id of 32 bytes, typed in hex or base58; undefined for any other text. */
export function wholeId(text: string): string | undefined {
  checkArgument("wholeId", text, isText);
  if (text.length < 32) return undefined;
  try {
    return toHex(parseId(text));
  } catch {
    return undefined;
  }
}

/** The text without the dots that stand for the rest of a short id. */
function withoutDots(typed: string): string {
  return typed.replace(/(?:…|\.\.\.)$/, "");
}

/** The fewest hex digits of an id that are searched in all rows if no table has the id. */
const LEAST_SEARCHED = 8;

/** The bytes of typed hex digits, in hex; the half of a byte at the end is left out. None for any other text. */
export function typedBytes(typed: string): readonly string[] {
  checkArgument("typedBytes", typed, isText);
  const digits = withoutDots(typed).toLowerCase();
  if (digits.length < LEAST_SEARCHED || digits.length >= DIGITS || !/^[0-9a-f]+$/.test(digits)) return [];
  return [digits.slice(0, digits.length - (digits.length % 2))];
}

/** The ids that begin with the typed hex digits; undefined for any other text. */
export function hexRange(typed: string): IdRange | undefined {
  checkArgument("hexRange", typed, isText);
  const digits = withoutDots(typed).toLowerCase();
  if (digits.length < LEAST_TYPED || digits.length > DIGITS || !/^[0-9a-f]+$/.test(digits)) return undefined;
  return { from: digits.padEnd(DIGITS, "0"), last: digits.padEnd(DIGITS, "f") };
}

/** The ids whose base58 begins with the typed characters: one range for each length that base58 can have. */
export function base58Ranges(typed: string): readonly IdRange[] {
  const start = withoutDots(typed);
  if (start.length < LEAST_TYPED || start.length > 44) return [];
  if ([...start].some((character) => !BASE58.includes(character))) return [];
  const ranges: IdRange[] = [];
  // Each 1 at the beginning is a byte 0; the other bytes are one number.
  const zeros = /^1*/.exec(start)?.[0].length ?? 0;
  if (zeros === start.length) return [{ from: "0".repeat(DIGITS), last: lastWithZeros(zeros) }];
  for (let length = start.length; length <= 44; length++) {
    const rest = length - start.length;
    const from = numberOf(start + "1".repeat(rest));
    const last = numberOf(start + "z".repeat(rest));
    // The number of an id has as many bytes as the id has after its leading zeros.
    const least = 1n << (8n * BigInt(31 - zeros));
    const most = (1n << (8n * BigInt(32 - zeros))) - 1n;
    if (last < least || from > most) continue;
    ranges.push({ from: hexOf(from < least ? least : from), last: hexOf(last > most ? most : last) });
  }
  return ranges;
}

function lastWithZeros(zeros: number): string {
  return "00".repeat(zeros).padEnd(DIGITS, "f");
}

function numberOf(text: string): bigint {
  let number = 0n;
  for (const character of text) number = number * 58n + BigInt(BASE58.indexOf(character));
  return number;
}

function hexOf(number: bigint): string {
  return number.toString(16).padStart(DIGITS, "0");
}

/** Returns whether an id begins with the typed characters, in hex or base58. */
export function startsAsTyped(id: string, typed: string): boolean {
  checkArgument("startsAsTyped", id, isText);
  checkArgument("startsAsTyped", typed, isText);
  const start = withoutDots(typed);
  if (start.length < LEAST_TYPED) return false;
  return id.startsWith(start.toLowerCase()) || toBase58(fromHex(id)).startsWith(start);
}
