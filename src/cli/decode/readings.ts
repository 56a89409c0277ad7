/** The possible forms of a text, before its meaning is known: a number, bytes in an encoding, JSON. */
import { fromBase58 } from "../../bytes/base58.js";
import { fromBase64url } from "../../bytes/base64url.js";
import { fromHex } from "../../bytes/hex.js";
import { asPrinted } from "../../bytes/id.js";
import type { Json } from "../../codec/index.js";
import { orUndefined } from "../../errors.js";

/** A text as it can be read. */
export type Reading =
  | { readonly as: "number"; readonly number: number }
  | { readonly as: "hex" | "base58" | "base64"; readonly bytes: Uint8Array }
  | { readonly as: "JSON"; readonly json: Json };

/** Characters of base58 that are decoded at most: the time is quadratic. */
const LONGEST_BASE58 = 2_000;
/** Bytes in base58 or base64 at least: most words and numbers can be fewer. */
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
  // A number of so many digits is meant as a number, not as bytes.
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

/** An object or a list; texts and numbers alone are no JSON that anybody means. */
function jsonOf(text: string): Json | undefined {
  return /^\s*[[{]/.test(text) ? orUndefined(() => JSON.parse(text) as Json) : undefined;
}

function base64Of(text: string): Uint8Array | undefined {
  const plain = text.replace(/=+$/, "").replaceAll("+", "-").replaceAll("/", "_");
  return fromBase64url(plain.padEnd(Math.ceil(plain.length / 4) * 4, "="));
}
