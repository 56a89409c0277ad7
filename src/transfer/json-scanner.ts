/**
 * An incremental check that a line is a JSON object. It examines each byte once, creates no values and uses constant
 * memory. The bytes of chosen fields are passed to a function.
 */

import { DEEPEST } from "./limits.js";

/** Receives `bytes[from, to)`, the next part of the text of a value. The bytes are only valid during the call. */
export type TakePart = (bytes: Uint8Array, from: number, to: number) => void;

/** Called for each field of the outermost object. Returns the function that takes its value, if any. */
export type ChooseField = (name: string) => TakePart | undefined;

/** The states: between tokens up to `END`, within a token from `STRING` on. */
const VALUE = 0;
const ITEM_OR_END = 1;
const NAME = 2;
const NAME_OR_END = 3;
const COLON = 4;
const COMMA_OR_END = 5;
const END = 6;
const STRING = 7;
const ESCAPE = 8;
const ESCAPED_DIGITS = 9;
const CHARACTER = 10;
const WORD = 11;
const NUMBER = 12;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;
const LIST = 0x5b;
const LIST_END = 0x5d;

const WORDS = ["true", "false", "null"];

/** The classes of a byte, as bits: {@link PLAIN}, {@link SPACE}, {@link ESCAPED}, {@link DIGIT}. */
const CLASSES = new Uint8Array(256);
/** ASCII that needs no escape in a string. */
const PLAIN = 1;
const SPACE = 2;
/** Characters that may follow a backslash, except `u`. */
const ESCAPED = 4;
/** A hex digit. */
const DIGIT = 8;

for (let byte = 0x20; byte < 0x80; byte++) if (byte !== QUOTE && byte !== BACKSLASH) classify(byte, PLAIN);
for (const space of " \t\r") classify(space.charCodeAt(0), SPACE);
for (const escaped of '"\\/bfnrt') classify(escaped.charCodeAt(0), ESCAPED);
for (const digit of "0123456789abcdefABCDEF") classify(digit.charCodeAt(0), DIGIT);

function classify(byte: number, bit: number): void {
  CLASSES[byte] = (CLASSES[byte] as number) | bit;
}

/** Longer names are never chosen. */
const LONGEST_NAME = 16;

const NO_JSON = "this is not JSON";
const NO_OBJECT = "this is not a JSON object";
const TOO_DEEP = `lists and objects are nested more than ${DEEPEST} deep, which no export has`;

/** Scans one line after another. */
export class JsonScanner {
  readonly #choose: ChooseField;
  /** The closing byte of each open list and object. */
  readonly #ends = new Uint8Array(DEEPEST);
  #depth = 0;
  #state = VALUE;
  #isName = false;
  /** The name of the field of the outermost object; undefined if it is not a short, plain text. */
  #name: string | undefined;
  #take: TakePart | undefined;
  /** The start of the next part for `#take`. */
  #start = 0;
  /** Missing bytes of an escape or a character, or read bytes of a literal. */
  #count = 0;
  #word = "";
  #number = START;
  /** Bounds of the next byte of a character. */
  #least = 0x80;
  #most = 0xbf;

  constructor(choose: ChooseField) {
    this.#choose = choose;
  }

  /** True if the line so far is a complete object. */
  get complete(): boolean {
    return this.#state === END;
  }

  /** Begins the next line. */
  begin(): void {
    this.#depth = 0;
    this.#state = VALUE;
    this.#take = undefined;
  }

  /** Scans `bytes[from, to)`, the next part of the line. Returns a description of the error, if any. */
  scan(bytes: Uint8Array, from: number, to: number): string | undefined {
    this.#start = from;
    let at = from;
    while (at < to) {
      if (this.#state === STRING) at = this.#passPlain(bytes, at, to);
      else if (this.#state === NUMBER) at = this.#passNumber(bytes, at, to);
      if (at === to) break;
      const byte = bytes[at++] as number;
      const wrong = this.#state > END ? this.#within(bytes, byte, at) : this.#between(bytes, byte, at);
      if (wrong !== undefined) return wrong;
    }
    this.#take?.(bytes, this.#start, to);
    return undefined;
  }

  /** Skips plain characters of a string. */
  #passPlain(bytes: Uint8Array, from: number, to: number): number {
    const plain = (at: number) => CLASSES[bytes[at] as number] as number;
    let at = from;
    // Four at a time: long strings are most of an export.
    while (at + 3 < to && (plain(at) & plain(at + 1) & plain(at + 2) & plain(at + 3) & PLAIN) !== 0) at += 4;
    while (at < to && (plain(at) & PLAIN) !== 0) at++;
    if (this.#isName && this.#name !== undefined) this.#addToName(bytes, from, at);
    return at;
  }

  #addToName(bytes: Uint8Array, from: number, to: number): void {
    let name = this.#name ?? "";
    const long = name.length + to - from > LONGEST_NAME;
    for (let at = from; at < to && !long; at++) name += String.fromCharCode(bytes[at] as number);
    this.#name = long ? undefined : name;
  }

  /** Skips the available rest of a number. */
  #passNumber(bytes: Uint8Array, from: number, to: number): number {
    for (let at = from; at < to; at++) {
      const next = nextInNumber(this.#number, bytes[at] as number);
      if (next === undefined) {
        if (MAY_END.includes(this.#number)) this.#endValue(bytes, at);
        return at; // an incomplete number stays open, and `#within` refuses the byte
      }
      this.#number = next;
    }
    return to;
  }

  /** A byte within a token, which ends before `at`. */
  #within(bytes: Uint8Array, byte: number, at: number): string | undefined {
    if (this.#state === STRING) {
      if (byte === QUOTE) {
        if (this.#isName) this.#state = COLON;
        else this.#endValue(bytes, at);
        return undefined;
      }
      if (this.#isName) this.#name = undefined;
      if (byte === BACKSLASH) this.#state = ESCAPE;
      else return this.#beginCharacter(byte);
      return undefined;
    }
    if (this.#state === WORD) {
      if (byte !== this.#word.charCodeAt(this.#count)) return NO_JSON;
      if (++this.#count === this.#word.length) this.#endValue(bytes, at);
      return undefined;
    }
    if (this.#state === CHARACTER) {
      if (byte < this.#least || byte > this.#most) return NO_JSON;
      this.#least = 0x80;
      this.#most = 0xbf;
      if (--this.#count === 0) this.#state = STRING;
      return undefined;
    }
    if (this.#state === ESCAPED_DIGITS) {
      if (!is(byte, DIGIT)) return NO_JSON;
      if (--this.#count === 0) this.#state = STRING;
      return undefined;
    }
    if (this.#state !== ESCAPE) return NO_JSON;
    if (byte === 0x75) {
      this.#state = ESCAPED_DIGITS;
      this.#count = 4;
    } else if (is(byte, ESCAPED)) this.#state = STRING;
    else return NO_JSON;
    return undefined;
  }

  /** Begins a multi-byte character of UTF-8. */
  #beginCharacter(byte: number): string | undefined {
    if (byte < 0xc2 || byte > 0xf4) return NO_JSON;
    this.#state = CHARACTER;
    this.#count = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    // Excludes overlong forms, surrogates, and code points above U+10FFFF.
    this.#least = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
    this.#most = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
    return undefined;
  }

  /** A byte between tokens, which ends before `at`. */
  #between(bytes: Uint8Array, byte: number, at: number): string | undefined {
    if (is(byte, SPACE)) return undefined;
    switch (this.#state) {
      case ITEM_OR_END:
        if (byte === LIST_END) return this.#close(bytes, at);
        return this.#beginValue(byte, at);
      case VALUE:
        return this.#beginValue(byte, at);
      case NAME_OR_END:
        if (byte === OBJECT_END) return this.#close(bytes, at);
        return this.#beginName(byte);
      case NAME:
        return this.#beginName(byte);
      case COLON:
        this.#state = VALUE;
        return byte === 0x3a ? undefined : NO_JSON;
      case COMMA_OR_END: {
        const end = this.#ends[this.#depth - 1];
        if (byte === end) return this.#close(bytes, at);
        this.#state = end === OBJECT_END ? NAME : VALUE;
        return byte === 0x2c ? undefined : NO_JSON;
      }
      default:
        return NO_JSON; // after the object
    }
  }

  #beginName(byte: number): string | undefined {
    this.#state = STRING;
    this.#isName = true;
    this.#name = this.#depth === 1 ? "" : undefined;
    return byte === QUOTE ? undefined : NO_JSON;
  }

  #beginValue(byte: number, at: number): string | undefined {
    if (this.#depth === 0 && byte !== OBJECT) return NO_OBJECT;
    if (this.#depth === 1 && this.#name !== undefined) {
      this.#take = this.#choose(this.#name);
      this.#start = at - 1;
    }
    if (byte === OBJECT || byte === LIST) {
      if (this.#depth === DEEPEST) return TOO_DEEP;
      this.#ends[this.#depth++] = byte === OBJECT ? OBJECT_END : LIST_END;
      this.#state = byte === OBJECT ? NAME_OR_END : ITEM_OR_END;
      return undefined;
    }
    if (byte === QUOTE) {
      this.#state = STRING;
      this.#isName = false;
      return undefined;
    }
    const number = nextInNumber(START, byte);
    if (number !== undefined) {
      this.#state = NUMBER;
      this.#number = number;
      return undefined;
    }
    const word = WORDS.find((word) => word.charCodeAt(0) === byte);
    if (word === undefined) return NO_JSON;
    this.#state = WORD;
    this.#word = word;
    this.#count = 1;
    return undefined;
  }

  #close(bytes: Uint8Array, at: number): undefined {
    this.#depth--;
    this.#endValue(bytes, at);
  }

  /** A value ends before `at`. */
  #endValue(bytes: Uint8Array, at: number): void {
    this.#state = this.#depth === 0 ? END : COMMA_OR_END;
    if (this.#depth !== 1) return;
    this.#take?.(bytes, this.#start, at);
    this.#take = undefined;
  }
}

/**
 * The states within a number: before it, after its sign, a leading zero, digits, the point, its digits, `e`, its sign,
 * its digits.
 */
const START = 0;
const SIGN = 1;
const ZERO = 2;
const WHOLE = 3;
const POINT = 4;
const FRACTION = 5;
const E = 6;
const E_SIGN = 7;
const EXPONENT = 8;

const MAY_END: readonly number[] = [ZERO, WHOLE, FRACTION, EXPONENT];

/** Returns the next state within a number; undefined if `byte` does not belong to the number. */
function nextInNumber(place: number, byte: number): number | undefined {
  if (byte >= 0x30 && byte <= 0x39) {
    if (place === START || place === SIGN) return byte === 0x30 ? ZERO : WHOLE;
    if (place === ZERO) return undefined;
    if (place === POINT) return FRACTION;
    return place === E || place === E_SIGN ? EXPONENT : place;
  }
  if (byte === 0x2d && place === START) return SIGN;
  if (byte === 0x2e && (place === ZERO || place === WHOLE)) return POINT;
  if ((byte | 0x20) === 0x65 && (place === ZERO || place === WHOLE || place === FRACTION)) return E;
  return (byte === 0x2b || byte === 0x2d) && place === E ? E_SIGN : undefined;
}

function is(byte: number, bit: number): boolean {
  return ((CLASSES[byte] as number) & bit) !== 0;
}
