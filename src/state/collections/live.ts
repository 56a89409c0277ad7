/** Collections in the place of handles. */
import { fieldPath, indexPath, keyPath } from "../path.js";
import { Handle, keyName, PairsValue, RegisterValue, VariantValue } from "../types/values.js";
import type { StateCollection } from "./collection.js";
import { StateCounter } from "./counter.js";
import { StateMap } from "./map.js";
import type { CollectionPlace } from "./open-collection.js";
import type { Owners, Scope } from "./scope.js";
import { StateText } from "./sequence.js";
import { StateSet } from "./set.js";
import { StateShared } from "./shared.js";
import { StateVector } from "./vector.js";

/** The collection of a handle. Reads nothing. */
export function collectionOf(scope: Scope, handle: Handle, place: CollectionPlace): StateCollection {
  switch (handle.type.kind) {
    case "map":
    case "user":
    case "frozen":
      return new StateMap(scope, handle, place);
    case "set":
      return new StateSet(scope, handle, place);
    case "vector":
      return new StateVector(scope, handle, place);
    case "counter":
      return new StateCounter(scope, handle, place);
    case "sequence":
      return new StateText(scope, handle, place);
    default:
      return new StateShared(scope, handle, place);
  }
}

/** Puts collections in the place of the handles in a value. Values without handles are returned as they are. */
export function liveValue(scope: Scope, value: unknown, path: string, owners: Owners): unknown {
  const inside = (one: unknown, at: string): unknown => liveValue(scope, one, at, owners);
  if (value instanceof Handle) return collectionOf(scope, value, { path, field: undefined, owners });
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map((one, at) => inside(one, indexPath(path, at)));
  if (value instanceof RegisterValue)
    return new RegisterValue(inside(value.value, path), value.time, value.clock, value.node);
  if (value instanceof VariantValue)
    return value.payload === undefined
      ? value
      : new VariantValue(value.name, inside(value.payload, fieldPath(path, value.name)));
  if (value instanceof PairsValue)
    return new PairsValue(
      value.pairs.map(([key, one]) => [key, inside(one, keyPath(path, keyName(key)))] as const),
    );
  const record: Record<string, unknown> = Object.create(null);
  for (const [name, one] of Object.entries(value)) record[name] = inside(one, fieldPath(path, name));
  return record;
}
