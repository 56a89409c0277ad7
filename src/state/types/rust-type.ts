/** Types as Rust writes them: `UnorderedMap<String, LwwRegister<u64>>`. */
import type { CollectionType, Type } from "./type.js";

/** UTF-16 units of a type: types can hold themselves. */
const LONGEST = 200;
/** Types inside each other that are written. */
const DEEPEST = 24;

/** A type as Rust writes it. A long one is cut. */
export function rustType(type: Type): string {
  const text = written(type, 0);
  return text.length > LONGEST ? `${text.substring(0, LONGEST)}…` : text;
}

function written(type: Type, depth: number): string {
  if (depth > DEEPEST) return "…";
  const inner = (one: Type): string => written(one, depth + 1);
  switch (type.kind) {
    case "text":
      return "String";
    case "unit":
      return "()";
    case "bytes":
      return type.size === undefined ? "Vec<u8>" : `[u8; ${type.size}]`;
    case "list":
      return `Vec<${inner(type.item)}>`;
    case "pairs":
      return `BTreeMap<${inner(type.key)}, ${inner(type.value)}>`;
    case "option":
      return `Option<${inner(type.of)}>`;
    case "register":
      return `LwwRegister<${inner(type.of)}>`;
    case "rest":
      return "[u8]";
    case "loose":
      return inner(type.of);
    case "choice":
      return type.of.slice(0, 4).map(inner).join(" or ");
    case "tuple":
      return `(${type.elements.slice(0, 12).map(inner).join(", ")})`;
    case "record":
      return type.name ?? "struct";
    case "variant":
    case "unknown":
      return type.name;
    case "map":
    case "set":
    case "vector":
    case "counter":
    case "sequence":
    case "user":
    case "frozen":
    case "shared":
      return collection(type, inner);
    default:
      return type.kind;
  }
}

function collection(type: CollectionType, inner: (type: Type) => string): string {
  switch (type.kind) {
    case "map": {
      const sorted = type.sorted ? "SortedMap" : type.authored ? "Map" : "UnorderedMap";
      const name = type.authored ? `Authored${sorted}` : sorted;
      return `${name}<${type.key === undefined ? "_" : inner(type.key)}, ${inner(type.value)}>`;
    }
    case "set":
      return `${type.sorted ? "SortedSet" : "UnorderedSet"}<${inner(type.item)}>`;
    case "vector":
      return `${type.authored ? "AuthoredVector" : "Vector"}<${inner(type.item)}>`;
    case "counter":
      return type.signed ? "PNCounter" : "Counter";
    case "sequence":
      return type.hasRuns ? "FugueText" : "ReplicatedGrowableArray";
    case "user":
      return `UserStorage<${inner(type.value)}>`;
    case "frozen":
      return `FrozenStorage<${inner(type.value)}>`;
    case "shared":
      return `SharedStorage<${inner(type.value)}>`;
  }
}
