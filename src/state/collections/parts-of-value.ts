/** The parts of a value: collections, and the rest as JSON. */
import { toHex } from "../../bytes/hex.js";
import type { Json } from "../../codec/index.js";
import { codecOf } from "../types/codec-of.js";
import { Handle, keyName, PairsValue, RegisterValue, VariantValue } from "../types/values.js";
import { StateCollection } from "./collection.js";

/** The collections in a value. */
export function* collectionsIn(value: unknown): Generator<StateCollection, void, undefined> {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return;
  if (value instanceof StateCollection) yield value;
  else if (value instanceof RegisterValue) yield* collectionsIn(value.value);
  else if (value instanceof VariantValue) yield* collectionsIn(value.payload);
  else for (const part of partsOf(value)) yield* collectionsIn(part);
}

function partsOf(value: object): readonly unknown[] {
  return value instanceof PairsValue ? value.pairs.map(([, one]) => one) : Object.values(value);
}

const number = codecOf({ kind: "f64" });

/** The JSON form of a value without the collections in it; undefined for a value that is one, or holds nothing else. */
export function shownJson(value: unknown): Json | undefined {
  if (value instanceof Handle || value instanceof StateCollection) return undefined;
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return number.toJson(value);
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Uint8Array) return toHex(value);
  if (value instanceof RegisterValue) return shownJson(value.value);
  if (value instanceof VariantValue)
    return value.payload === undefined ? value.name : objectOf([[value.name, value.payload]]);
  if (value instanceof PairsValue)
    return objectOf(value.pairs.map(([key, one]) => [keyName(key), one] as const));
  if (Array.isArray(value)) {
    const shown = value.map(shownJson);
    return isHidden(shown) ? undefined : shown.map((one) => one ?? null);
  }
  return objectOf(Object.entries(value as object));
}

function objectOf(parts: readonly (readonly [name: string, value: unknown])[]): Json | undefined {
  const json: Record<string, Json> = Object.create(null);
  const shown = parts.map(([name, one]) => ({ name, json: shownJson(one) }));
  if (isHidden(shown.map((one) => one.json))) return undefined;
  for (const { name, json: one } of shown) if (one !== undefined) json[name] = one;
  return json;
}

/** Returns true if all parts of a value that has some are collections. */
function isHidden(shown: readonly (Json | undefined)[]): boolean {
  return shown.length > 0 && shown.every((one) => one === undefined);
}
