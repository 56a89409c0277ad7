/**
 * Names of the keys of maps: a decoded `Map` has texts as keys, as JSON has. JavaScript compares objects by identity,
 * and V8's hashes of numbers are known: hostile numbers could all fall into one bucket.
 */
import type { Codec } from "./codec.js";
import { WriteFailure } from "./errors.js";
import type { Json, JsonOptions } from "./json.js";

/** Keys as texts, and texts as keys. */
export interface KeyNames {
  /** The name of a key. */
  toName(key: unknown, options?: JsonOptions): string;
  /** The key of a name. @throws WriteFailure for a text that names no key */
  fromName(name: string): unknown;
}

/** Returns the names of the keys that a codec reads. */
export function keyNames(codec: Codec<unknown>): KeyNames {
  const { shape } = codec;
  const toName = (key: unknown, options?: JsonOptions): string => nameText(codec.show(key, options));
  switch (shape.is) {
    case "secret":
      return { ...keyNames(shape.of), toName };
    case "text":
    case "bytes":
    case "names":
    case "other":
      return { toName, fromName: (name) => codec.parse(name) };
    case "integer":
      return { toName, fromName: (name) => codec.parse(shape.bits > 32 ? name : fromJson(name)) };
    default:
      return {
        toName: (key, options) => JSON.stringify(codec.show(key, options)),
        fromName: (name) => codec.parse(fromJson(name)),
      };
  }
}

function nameText(json: Json): string {
  return typeof json === "string" ? json : JSON.stringify(json);
}

function fromJson(name: string): Json {
  try {
    return JSON.parse(name) as Json;
  } catch {
    throw new WriteFailure("a key as JSON", "another text");
  }
}
