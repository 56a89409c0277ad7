/** Names of Rust types, as `type_name` writes them: `alloc::vec::Vec<[u8; 32]>`. */

/** A parsed name. */
export type RustName =
  /** A path with its arguments: `alloc::vec::Vec<u8>`, `u64`. */
  | { readonly kind: "path"; readonly path: readonly string[]; readonly args: readonly RustName[] }
  | { readonly kind: "array"; readonly item: RustName; readonly length: number }
  | { readonly kind: "slice"; readonly item: RustName }
  | { readonly kind: "tuple"; readonly elements: readonly RustName[] };

/** The longest name that is parsed, in UTF-16 units. */
const LONGEST = 4096;
/** The deepest nesting. */
const DEEPEST = 48;

/** The last part of the path of a name: `Vec` of `alloc::vec::Vec<u8>`; empty for arrays and tuples. */
export function lastPart(name: RustName): string {
  return name.kind === "path" ? (name.path.at(-1) as string) : "";
}

/** Parses the name of a Rust type; undefined for any other text, and for one that is too long or nested too deeply. */
export function parseRustName(text: string): RustName | undefined {
  if (text.length > LONGEST) return undefined;
  const parser = new Parser(text);
  try {
    const name = parser.type(0);
    return parser.atEnd ? name : undefined;
  } catch (error) {
    if (error === NOT_A_NAME) return undefined;
    throw error;
  }
}

const NOT_A_NAME = Symbol("not a name");

class Parser {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = text.match(/::|'?[\p{L}_][\p{L}\p{N}_]*(?:\{\{[a-z]+\}\})?|\{\{[a-z]+\}\}|\d+|\S/gu) ?? [];
  }

  get atEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  type(depth: number): RustName {
    if (depth > DEEPEST) throw NOT_A_NAME;
    if (this.#skip("&")) return this.#reference(depth);
    if (this.#skip("(")) return { kind: "tuple", elements: this.#list(")", depth) };
    if (this.#skip("[")) return this.#array(depth);
    return this.#path(depth);
  }

  #reference(depth: number): RustName {
    if (this.#peek()?.startsWith("'")) this.#at++;
    this.#skip("mut");
    return this.type(depth + 1);
  }

  #array(depth: number): RustName {
    const item = this.type(depth + 1);
    if (this.#skip("]")) return { kind: "slice", item };
    this.#expect(";");
    const length = this.#next();
    if (!/^\d{1,9}$/.test(length)) throw NOT_A_NAME;
    if (this.#peek()?.startsWith("usize")) this.#at++;
    this.#expect("]");
    return { kind: "array", item, length: Number(length) };
  }

  #path(depth: number): RustName {
    const path = [this.#part()];
    while (this.#skip("::")) {
      // `Vec::<u8>` is `Vec<u8>`.
      if (this.#peek() === "<") break;
      path.push(this.#part());
    }
    return { kind: "path", path, args: this.#skip("<") ? this.#list(">", depth) : [] };
  }

  #part(): string {
    const part = this.#next();
    // A constant argument, `Counter<true>` or `Buffer<4>`, parses as a path too.
    if (!/^[\p{L}\p{N}_{]/u.test(part)) throw NOT_A_NAME;
    return part;
  }

  #list(end: string, depth: number): readonly RustName[] {
    const list: RustName[] = [];
    while (!this.#skip(end)) {
      list.push(this.type(depth + 1));
      if (!this.#skip(",") && this.#peek() !== end) throw NOT_A_NAME;
    }
    return list;
  }

  #peek(): string | undefined {
    return this.#tokens[this.#at];
  }

  #next(): string {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw NOT_A_NAME;
    return token;
  }

  #skip(token: string): boolean {
    if (this.#peek() !== token) return false;
    this.#at++;
    return true;
  }

  #expect(token: string): void {
    if (!this.#skip(token)) throw NOT_A_NAME;
  }
}
