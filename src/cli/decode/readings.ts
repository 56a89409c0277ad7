/** The possible forms of a text, before its meaning is known: a number, bytes in an encoding, JSON. */
import { fromBase58 } from "../../bytes/base58.js";
import { fromBase64url } from "../../bytes/base64url.js";
import { fromHex } from "../../bytes/hex.js";
import { asPrinted } from "../../bytes/id.js";
import type { Json } from "../../codec/index.js";
import { orUndefined } from "../../errors.js";

/** A possible reading of a text. */
export type Reading =
  | { readonly as: "number"; readonly number: number }
  | { readonly as: "hex" | "base58" | "base64"; readonly bytes: Uint8Array }
  | { readonly as: "JSON"; readonly json: Json };

/** The most decoded characters of base58: the time is quadratic. */
const LONGEST_BASE58 = 2_000;
/** The fewest bytes in base58 or base64: most words and numbers would decode to fewer. */
const FEWEST_BYTES = 8;

/** The readings of a text, the likeliest first. */
export function readingsOf(typed: string): readonly Reading[] {
  const json = jsonOf(typed);
  if (json !== undefined) return [{ as: "JSON", json }];
  const text = asPrinted(typed).replaceAll(/\s+/g, "");
  if (text === "") return [];
  const found: Reading[] = [];
  const number = numberOf(typed.trim());
  if (number !== undefined) found.push({ as: "number", number });
  // So many digits mean a number, not bytes.
  if (/^\d{11,}$/.test(text) && number !== undefined) return found;
  if (/^(?:[0-9a-f]{2})+$/i.test(text)) found.push({ as: "hex", bytes: fromHex(text.toLowerCase()) });
  const base58 = text.length <= LONGEST_BASE58 ? orUndefined(() => fromBase58(text)) : undefined;
  if (base58 !== undefined && base58.length >= FEWEST_BYTES) found.push({ as: "base58", bytes: base58 });
  const base64 = base64Of(text);
  if (base64 !== undefined && base64.length >= FEWEST_BYTES) found.push({ as: "base64", bytes: base64 });
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  return found.flatMap((reading) => {
    const inside =
      "bytes" in reading ? jsonOf(orUndefined(() => utf8.decode(reading.bytes)) ?? "") : undefined;
    return inside === undefined ? [reading] : [{ as: "JSON" as const, json: inside }, reading];
  });
}

function numberOf(text: string): number | undefined {
  return /^(?:\d{1,20}|0x[0-9a-f]{1,8})$/i.test(text) ? Number(text) : undefined;
}

/** Parses an object or a list. A text or a number alone does not count as JSON. */
function jsonOf(text: string): Json | undefined {
  return /^\s*[[{]/.test(text) ? orUndefined(() => JSON.parse(text) as Json) : undefined;
}

function base64Of(text: string): Uint8Array | undefined {
  const plain = text.replace(/=+$/, "").replaceAll("+", "-").replaceAll("/", "_");
  return fromBase64url(plain.padEnd(Math.ceil(plain.length / 4) * 4, "="));
}
