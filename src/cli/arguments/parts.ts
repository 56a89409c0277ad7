/** Parses typed keys: `KIND part=value …`. */
import { fromHex } from "../../bytes/hex.js";
import { nearest } from "../../bytes/nearest.js";
import { invalidArgument, MerostoreError } from "../../errors.js";
import type { AnyKey, AnyKeyClass, KeyRange } from "../../keys/index.js";

/** The key of `part=value` words. @throws MerostoreError that names the missing or wrong part */
export function parseKey(keyClass: AnyKeyClass, words: readonly string[]): AnyKey {
  const values = parseWords(keyClass, words);
  const missing = keyClass.PARTS.filter(({ name }) => values[name] === undefined);
  if (missing.length > 0) {
    throw invalidArgument(
      `${keyClass.KIND} needs all its parts, ${missing.map(({ name }) => name).join(" and ")} too: write ${usageOf(keyClass)}`,
    );
  }
  return new (keyClass as unknown as new (values: object) => AnyKey)(values);
}

/** The range of keys with these leading parts. @throws MerostoreError if there is a gap before one of them */
export function parseRange(keyClass: AnyKeyClass, words: readonly string[]): KeyRange<AnyKeyClass> {
  const values = parseWords(keyClass, words);
  const names = keyClass.PARTS.map(({ name }) => name);
  const gap = names.findIndex((name) => values[name] === undefined);
  const behind = gap < 0 ? undefined : names.slice(gap).find((name) => values[name] !== undefined);
  if (behind === undefined) return keyClass.range(values);
  throw invalidArgument(
    `${behind} alone is not a range of keys: a scan takes the leading parts, so give ${names[gap]} too. The order is ${usageOf(keyClass)}`,
  );
}

function parseWords(keyClass: AnyKeyClass, words: readonly string[]): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const word of words) {
    const split = word.indexOf("=");
    const part = keyClass.PARTS.find(({ name }) => name === word.slice(0, Math.max(0, split)));
    if (part === undefined) {
      // Show only the name: the rest, or a long word without a name, may be a value for an option.
      const name = split >= 0 ? word.slice(0, split) : word;
      const shown = name.length <= 20 ? `"${name}"` : "a word";
      const [meant] = nearest(
        name,
        keyClass.PARTS.map((one) => one.name),
        1,
      );
      const near = meant === undefined ? "" : ` (did you mean ${meant}?)`;
      const why =
        split >= 0
          ? `${shown} is not a part of ${keyClass.KIND}${near}: write ${usageOf(keyClass)}`
          : `${shown} without "=" is not a part of ${keyClass.KIND}: write parts as part=value: ${usageOf(keyClass)}`;
      throw invalidArgument(why);
    }
    const value = part.parse(word.slice(split + 1));
    if (value === undefined || part.refuse(value) !== undefined) {
      throw invalidArgument(
        `${part.name}: expected ${formats[part.type] ?? part.type}${namesOf(part.names)}`,
      );
    }
    if (values[part.name] !== undefined) {
      throw invalidArgument(`${part.name} is given twice`);
    }
    values[part.name] = value;
  }
  return values;
}

/** `, or context, identity, application`. */
function namesOf(names: readonly string[] = []): string {
  return names.length === 0 ? "" : `, or ${names.join(", ")}`;
}

const formats: Readonly<Record<string, string>> = {
  b32: "32 bytes as 64 hex digits or base58",
  b16: "16 bytes as 32 hex digits",
  u64BE: "a whole number from 0 to 18446744073709551615",
  u8: "a whole number from 0 to 255",
  raw: "bytes as hex digits",
  str50: "a text of at most 50 bytes",
};

/** The bytes of hex digits. `what` names the option or argument in the error. */
export function parseHex(what: string, text: string): Uint8Array {
  try {
    return fromHex(text);
  } catch (cause) {
    throw new MerostoreError("INVALID_ARGUMENT", `${what}: ${(cause as Error).message}`, { cause });
  }
}

/**
 * A substitute for an unknown key, if the key decides whether a value is secret. Only named scopes of Generic are not
 * secret, so a scope of zeros counts as secret.
 */
export function keyOfZeros(keyClass: AnyKeyClass): AnyKey {
  const bytes = new Uint8Array(keyClass.SIZE);
  if (keyClass.PREFIX !== undefined) bytes[0] = keyClass.PREFIX;
  return keyClass.fromBytes(bytes);
}

/** `groupId=ID sequence=NUMBER`. */
export function usageOf(keyClass: AnyKeyClass): string {
  return keyClass.PARTS.map(({ name, type }) => `${name}=${words[type] ?? "TEXT"}`).join(" ");
}

const words: Readonly<Record<string, string>> = {
  b32: "ID",
  b16: "HEX",
  raw: "HEX",
  u64BE: "NUMBER",
  u8: "NUMBER",
};
