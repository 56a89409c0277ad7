/**
 * Comparison of the type in a manifest with the type that a row names in Rust: the row knows widths, options and keys, the
 * manifest knows the application's own types.
 */
import type { Type } from "./type.js";
import { typeName } from "./type-name.js";
import { UNSAID } from "./unsaid.js";

/** The deepest nesting that is compared. */
const DEEPEST = 64;

/**
 * Returns how the type in a row contradicts the type in a manifest, such as `text instead of u64`; undefined if both
 * can be right.
 *
 * @param manifest the type in a manifest
 * @param row the type in a row
 */
export function contradiction(manifest: Type, row: Type): string | undefined {
  return new Comparison().contradiction(manifest, row);
}

/** The type of a row. The manifest supplies the parts that the row does not describe. */
export function refined(manifest: Type, row: Type): Type {
  return new Comparison().refined(manifest, row);
}

/** Results by pairs of types: a type may hold another in many places. */
class Known<T> {
  readonly #results = new Map<Type, Map<Type, T>>();

  /** The result for a pair: computed once. */
  of(a: Type, b: Type, compute: () => T): T {
    const ofA = this.#results.get(a) ?? new Map<Type, T>();
    this.#results.set(a, ofA);
    if (!ofA.has(b)) ofA.set(b, compute());
    return ofA.get(b) as T;
  }
}

class Comparison {
  readonly #contradictions = new Known<string | undefined>();
  readonly #refined = new Known<Type>();

  contradiction(manifest: Type, row: Type, depth = 0): string | undefined {
    return this.#contradictions.of(manifest, row, () => this.#compare(manifest, row, depth));
  }

  refined(manifest: Type, row: Type, depth = 0): Type {
    return this.#refined.of(manifest, row, () => this.#refine(manifest, row, depth));
  }

  #compare(manifest: Type, row: Type, depth: number): string | undefined {
    if (
      depth > DEEPEST ||
      manifest === row ||
      row === UNSAID ||
      row.kind === "unknown" ||
      manifest.kind === "unknown"
    )
      return undefined;
    if (manifest.kind === "loose")
      return this.contradiction(manifest.of, row.kind === "option" ? row.of : row, depth + 1);
    if (manifest.kind === "choice") {
      const isOne = manifest.of.some((one) => this.contradiction(one, row, depth + 1) === undefined);
      return isOne ? undefined : differ(row, manifest);
    }
    // An id of 32 bytes is a text in JSON, and some manifests give it as text.
    if (manifest.kind === "text" && row.kind === "bytes" && row.size === 32) return undefined;
    // Sets of bytes and arrays are lists in a manifest.
    if (manifest.kind === "list" && (row.kind === "bytes" || row.kind === "tuple")) return undefined;
    if (manifest.kind === "record" || manifest.kind === "variant")
      return row.kind === manifest.kind && row.name === manifest.name ? undefined : differ(row, manifest);
    if (manifest.kind !== row.kind) return differ(row, manifest);
    const [ours, theirs] = [innerOf(manifest), innerOf(row)];
    if (!haveSameFlags(manifest, row) || ours.length !== theirs.length) return differ(row, manifest);
    return ours
      .map((part, at) => this.contradiction(part, theirs[at] as Type, depth + 1))
      .find((wrong) => wrong !== undefined);
  }

  #refine(manifest: Type, row: Type, depth: number): Type {
    if (depth > DEEPEST || row === UNSAID || row.kind === "unknown") return manifest;
    if (manifest.kind === "loose") return this.refined(manifest.of, row, depth + 1);
    if (manifest.kind === "choice") {
      const fits = manifest.of.find((one) => this.contradiction(one, row) === undefined);
      return fits === undefined ? row : this.refined(fits, row, depth + 1);
    }
    if (manifest.kind !== row.kind) {
      return row.kind === "option" ? { kind: "option", of: this.refined(manifest, row.of, depth + 1) } : row;
    }
    const inner = (a: Type, b: Type): Type => this.refined(a, b, depth + 1);
    switch (row.kind) {
      case "list":
      case "set":
      case "vector":
        return { ...row, item: inner((manifest as typeof row).item, row.item) };
      case "option":
      case "register":
        return { ...row, of: inner((manifest as typeof row).of, row.of) };
      case "pairs":
      case "map":
      case "user":
      case "frozen":
      case "shared":
        return { ...row, value: inner((manifest as typeof row).value, row.value) };
      case "tuple":
        return {
          ...row,
          elements: row.elements.map((element, at) =>
            inner((manifest as typeof row).elements[at] ?? element, element),
          ),
        };
      default:
        return row;
    }
  }
}

/** The parts of a type that manifests and rows both describe. Keys are texts in every manifest, whatever they are. */
function innerOf(type: Type): readonly Type[] {
  if ("elements" in type) return type.elements;
  if ("value" in type) return [type.value];
  if ("item" in type) return [type.item];
  return type.kind === "option" || type.kind === "register" ? [type.of] : [];
}

/** Returns true if two types of one kind differ in their parts alone. */
function haveSameFlags(a: Type, b: Type): boolean {
  const [one, other] = [a, b] as readonly Readonly<Record<string, unknown>>[];
  return ["size", "sorted", "authored", "signed"].every((flag) => one?.[flag] === other?.[flag]);
}

function differ(row: Type, manifest: Type): string {
  return `${typeName(row)} instead of ${typeName(manifest)}`;
}
