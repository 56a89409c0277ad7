/** Names of types in messages. */
import type { Type } from "./type.js";

/** UTF-16 units of a name: types can be as large as their manifest, and hold themselves. */
const LONGEST = 200;

/** The name of a type in a message: `list of text`, `u32`, `Small`. A long one is cut. */
export function typeName(type: Type): string {
  const name = new Name();
  name.add(type);
  return name.text.length > LONGEST ? `${name.text.substring(0, LONGEST)}…` : name.text;
}

class Name {
  text = "";

  add(type: Type): void {
    // Every step below adds text, so the steps end.
    if (this.text.length > LONGEST) return;
    switch (type.kind) {
      case "list":
        this.#after("list of ", type.item);
        break;
      case "pairs":
        this.#after("map of ", type.value);
        break;
      case "option":
        this.#after("optional ", type.of);
        break;
      case "register":
        this.#after("register of ", type.of);
        break;
      case "loose":
        this.add(type.of);
        break;
      case "choice":
        this.#joined(type.of, " or ");
        break;
      case "tuple":
        this.#tuple(type.elements);
        break;
      default:
        this.text += plainName(type);
    }
  }

  #after(words: string, of: Type): void {
    this.text += words;
    this.add(of);
  }

  #joined(types: readonly Type[], separator: string): void {
    for (const [at, type] of types.entries()) {
      if (this.text.length > LONGEST) return;
      if (at > 0) this.text += separator;
      this.add(type);
    }
  }

  /** Elements of one type are an array. */
  #tuple(elements: readonly Type[]): void {
    const [first] = elements;
    const isArray = first !== undefined && elements.length > 1 && elements.every((one) => one === first);
    this.text += isArray ? "[" : "(";
    if (isArray) this.add(first);
    else this.#joined(elements, ", ");
    this.text += isArray ? `; ${elements.length}]` : ")";
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
