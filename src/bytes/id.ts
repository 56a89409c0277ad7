/** Ids of 32 bytes, and the texts that stand for them: 64 hex digits, or base58. */
import { invalidArgument, orUndefined } from "../errors.js";
import { fromBase58, toBase58 } from "./base58.js";
import { isBytes } from "./bytes.js";
import { fromHex, toHex } from "./hex.js";
import { equalBytes } from "./order.js";

/** Words before a printed id or number. */
const KINDS =
  /^(?:namespace|group|context|member|device|application|blob|operation|delta|entity|key) (?=\S+$)/i;

/**
 * Removes the surroundings of a printed id or name: quotes, brackets, `0x`, the word of its kind, and a name before an
 * id in brackets.
 */
export function asPrinted(text: string): string {
  const [, labelled] = /^.+ \(([0-9A-Za-z]{4,64}(?:…|\.\.\.)?)\)$/.exec(text) ?? [];
  return (labelled ?? text)
    .trim()
    .replace(/^["'`“”‘’«»(<>[{#]+/, "")
    .replace(/["'`“”‘’«»)>\]},;:]+$/, "")
    .replace(KINDS, "")
    .replace(/^0x(?=[0-9a-f]{4})/i, "");
}

/**
 * Parses an id of `size` bytes from hex (exactly 2 × `size` digits) or base58, also in printed form with quotes or
 * `0x`. Throws `INVALID_ARGUMENT` for any other text.
 */
export function parseId(typed: string, size = 32): Uint8Array {
  const text = typed.length > 4 * size ? typed : asPrinted(typed);
  const bytes =
    text.length === 2 * size && /^[0-9a-fA-F]+$/.test(text) ? fromHex(text) : tryBase58(text, size);
  if (bytes?.length === size) return bytes;
  throw invalidArgument(
    `an id of ${size} bytes is ${2 * size} hex digits or a base58 text, got ${typed.length} characters that are neither`,
  );
}

/** The form of an id in messages. */
export const ID_FORMS = "32 bytes, or their hex or base58 text";

/** An id of 32 bytes as it is given: the bytes, or their hex or base58 text. */
export type IdLike = Uint8Array | string;

/**
 * An id, public key or hash of 32 bytes, as keys and values have it. Its text is 64 hex digits, the form that
 * `merostore/node` and `merostore/state` answer with.
 */
export class Id extends Uint8Array {
  /** 64 hex digits. */
  override toString(): string {
    return toHex(this);
  }

  /** The base58 text. */
  toBase58(): string {
    return toBase58(this);
  }

  /** 64 hex digits. */
  toJSON(): string {
    return toHex(this);
  }

  /** Returns true if another id is the same: its bytes, or their hex or base58 text. */
  equals(other: IdLike): boolean {
    const bytes = knownBytes(other);
    return bytes !== undefined && equalBytes(this, bytes);
  }

  /** The output of `console.log` in Node. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return `Id(${this})`;
  }
}

// Parts of an id are plain bytes, and tests of equality treat an id as plain bytes.
Object.defineProperty(Id.prototype, "constructor", { value: Uint8Array });

/** An id from its bytes, which are copied, or from their hex or base58 text. @throws MerostoreError INVALID_ARGUMENT */
export function toId(id: IdLike): Id {
  return new Id(idBytes(id));
}

/** The bytes of an id. @throws MerostoreError INVALID_ARGUMENT for anything else */
export function idBytes(id: IdLike): Uint8Array {
  const bytes = typeof id === "string" ? parseId(id) : id;
  if (!isBytes(bytes) || bytes.length !== 32) throw invalidArgument(`an id has ${ID_FORMS}`);
  return bytes;
}

/** The bytes of an id; undefined for anything else. */
export function knownBytes(id: unknown): Uint8Array | undefined {
  return orUndefined(() => idBytes(id as IdLike));
}

/** The 64 hex digits of an id. @throws MerostoreError INVALID_ARGUMENT for anything else */
export function idHex(id: IdLike): string {
  return toHex(idBytes(id));
}

/** Bytes of an id as hex; a text, which may be a name, as it is. */
export function idText(id: IdLike): string {
  return typeof id === "string" ? id : idHex(id);
}

/** The 64 hex digits of a whole id; other text, which may be a name or the first digits of an id, as it is. */
export function digitsOf(id: IdLike): string {
  const text = idText(id);
  // Fewer than 64 digits can be read as base58, too, if none of them is 0.
  if (/^(?:[0-9a-f]{64}|[0-9a-fA-F]{1,63})$/.test(text)) return text;
  const bytes = text.length < 32 ? undefined : knownBytes(text);
  return bytes === undefined ? text : toHex(bytes);
}

function tryBase58(text: string, size: number): Uint8Array | undefined {
  // Decoding base58 takes quadratic time, so long texts are refused first.
  if (text.length > 2 * size) return undefined;
  try {
    return fromBase58(text);
  } catch {
    return undefined;
  }
}
