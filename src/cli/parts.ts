/** Keys as they are typed on a command line: `KIND part=value …`. */
import { MerostoreError } from "../errors.js";
import type { AnyKey, AnyKeyClass, AnyPart, KeyRange } from "../keys/index.js";

/** The whole key of `part=value` words. @throws MerostoreError that names the part which is missing or wrong */
export function parseKey(keyClass: AnyKeyClass, words: readonly string[]): AnyKey {
  const values = parseWords(keyClass, words);
  const missing = keyClass.PARTS.filter(({ name }) => values[name] === undefined);
  if (missing.length > 0) {
    throw new MerostoreError(
      "INVALID_ARGUMENT",
      `${keyClass.KIND} needs ${missing.map(usage).join(" ")}; all its parts are ${keyClass.PARTS.map(usage).join(" ")}`,
    );
  }
  return new (keyClass as unknown as new (values: object) => AnyKey)(values);
}

/** The range of the leading parts that are given. */
export function parseRange(keyClass: AnyKeyClass, words: readonly string[]): KeyRange<AnyKeyClass> {
  return keyClass.range(parseWords(keyClass, words));
}

function parseWords(keyClass: AnyKeyClass, words: readonly string[]): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const word of words) {
    const split = word.indexOf("=");
    const part = keyClass.PARTS.find(({ name }) => name === word.slice(0, Math.max(0, split)));
    if (part === undefined) {
      throw new MerostoreError(
        "INVALID_ARGUMENT",
        `"${word}" is no part of ${keyClass.KIND}: write ${keyClass.PARTS.map(usage).join(" ")}`,
      );
    }
    const value = part.parse(word.slice(split + 1));
    if (value === undefined || part.refuse(value) !== undefined) {
      throw new MerostoreError(
        "INVALID_ARGUMENT",
        `${part.name}: expected ${formats[part.type] ?? part.type}`,
      );
    }
    values[part.name] = value;
  }
  return values;
}

const formats: Readonly<Record<string, string>> = {
  b32: "32 bytes as 64 hex digits or base58",
  b16: "16 bytes as 32 hex digits, or the name of a known scope",
  u64BE: "a whole number from 0 to 18446744073709551615",
  u8: "a whole number from 0 to 255",
  raw: "bytes as hex digits",
  str50: "a text of at most 50 bytes",
};

function usage(part: AnyPart): string {
  return `${part.name}=${part.type === "b32" ? "ID" : part.type === "u64BE" || part.type === "u8" ? "NUMBER" : part.type.startsWith("str") ? "TEXT" : "HEX"}`;
}
