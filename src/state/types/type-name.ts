/** Names of types: in messages, and as Rust writes them. */
import type { Type } from "./type.js";

/** UTF-16 units of a name: types can be as large as their manifest, and hold themselves. */
const LONGEST = 200;

/** The name of a type in a message: `list of text`, `u32`, `Small`. A long one is cut. */
export function typeName(type: Type): string {
  return written(type, inWords);
}

/** A type as Rust writes it: `UnorderedMap<String, LwwRegister<u64>>`. A long one is cut. */
export function rustType(type: Type): string {
  return written(type, inRust);
}

/** The pieces of a name: texts, and types whose names are in it. */
type Pieces = readonly (string | Type)[];

/** Writes the shown part of a name: a type may hold another in very many places. */
function written(type: Type, piecesOf: (type: Type) => Pieces): string {
  let text = "";
  const open: (string | Type)[] = [type];
  for (let next = open.pop(); next !== undefined && text.length <= LONGEST; next = open.pop())
    if (typeof next === "string") text += next;
    else for (const piece of piecesOf(next).toReversed()) open.push(piece);
  return text.length > LONGEST ? `${text.substring(0, LONGEST)}…` : text;
}

function joined(types: readonly Type[], separator: string): Pieces {
  return types.flatMap((type, at) => (at === 0 ? [type] : [separator, type]));
}

function inWords(type: Type): Pieces {
  switch (type.kind) {
    case "list":
      return ["list of ", type.item];
    case "pairs":
      return ["map of ", type.value];
    case "option":
      return ["optional ", type.of];
    case "register":
      return ["register of ", type.of];
    case "loose":
      return [type.of];
    case "choice":
      return joined(type.of, " or ");
    case "tuple": {
      const { elements } = type;
      const [first] = elements;
      const isArray = first !== undefined && elements.length > 1 && elements.every((one) => one === first);
      return isArray ? ["[", first, `; ${elements.length}]`] : ["(", ...joined(elements, ", "), ")"];
    }
    default:
      return [plainName(type)];
  }
}

/** The name of a type whose name does not include its parts. */
function plainName(type: Type): string {
  switch (type.kind) {
    case "bytes":
      return type.size === undefined ? "bytes" : `${type.size} bytes`;
    case "rest":
      return "bytes to the end";
    case "record":
      return type.name ?? "record";
    case "variant":
    case "unknown":
      return type.name;
    case "map":
      return `${type.authored ? "authored " : type.sorted ? "sorted " : ""}map`;
    case "set":
      return `${type.sorted ? "sorted " : ""}set`;
    case "vector":
      return `${type.authored ? "authored " : ""}vector`;
    case "counter":
      return `${type.signed ? "signed " : ""}counter`;
    case "sequence":
      return type.hasRuns ? "text of runs" : "text sequence";
    case "user":
      return "user storage";
    case "frozen":
      return "frozen storage";
    case "shared":
      return "shared storage";
    default:
      return type.kind;
  }
}

function inRust(type: Type): Pieces {
  const of = (name: string, ...args: readonly (string | Type)[]): Pieces => [`${name}<`, ...args, ">"];
  switch (type.kind) {
    case "text":
      return ["String"];
    case "unit":
      return ["()"];
    case "bytes":
      return [type.size === undefined ? "Vec<u8>" : `[u8; ${type.size}]`];
    case "list":
      return of("Vec", type.item);
    case "pairs":
      return of("BTreeMap", type.key, ", ", type.value);
    case "option":
      return of("Option", type.of);
    case "register":
      return of("LwwRegister", type.of);
    case "rest":
      return ["[u8]"];
    case "loose":
      return [type.of];
    case "choice":
      return joined(type.of.slice(0, 4), " or ");
    case "tuple":
      return ["(", ...joined(type.elements.slice(0, 12), ", "), ")"];
    case "record":
      return [type.name ?? "struct"];
    case "variant":
    case "unknown":
      return [type.name];
    case "map": {
      const sorted = type.sorted ? "SortedMap" : type.authored ? "Map" : "UnorderedMap";
      return of(type.authored ? `Authored${sorted}` : sorted, type.key ?? "_", ", ", type.value);
    }
    case "set":
      return of(type.sorted ? "SortedSet" : "UnorderedSet", type.item);
    case "vector":
      return of(type.authored ? "AuthoredVector" : "Vector", type.item);
    case "counter":
      return [type.signed ? "PNCounter" : "Counter"];
    case "sequence":
      return [type.hasRuns ? "FugueText" : "ReplicatedGrowableArray"];
    case "user":
      return of("UserStorage", type.value);
    case "frozen":
      return of("FrozenStorage", type.value);
    case "shared":
      return of("SharedStorage", type.value);
    default:
      return [type.kind];
  }
}
