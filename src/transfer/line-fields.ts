/** The fields of a line that an import needs. All others are skipped after a check that they are JSON. */

import { HexCollector, TextCollector, type Wrong } from "./collectors.js";
import { JsonScanner, type TakePart } from "./json-scanner.js";
import { LONGEST_LINE } from "./limits.js";

/** Collects the fields of one line after another. */
export class LineFields {
  readonly #wrong: Wrong;
  readonly #scanner: JsonScanner;
  readonly #hex: { readonly key: HexCollector; readonly value: HexCollector };
  readonly #texts: ReadonlyMap<string, TextCollector>;
  readonly #present = new Set<string>();
  #length = 0;

  constructor(wrong: Wrong) {
    this.#wrong = wrong;
    this.#hex = { key: new HexCollector("key", wrong), value: new HexCollector("value", wrong) };
    this.#texts = new Map(
      ["column", "kind", "rows", "columns", "sha256"].map((name) => [name, new TextCollector(name, wrong)]),
    );
    this.#scanner = new JsonScanner((name) => this.#choose(name));
    this.begin();
  }

  /** True if no byte of the line has been read. */
  get empty(): boolean {
    return this.#length === 0;
  }

  begin(): void {
    this.#length = 0;
    this.#present.clear();
    this.#scanner.begin();
  }

  /** Reads `bytes[from, to)`, the next part of the line. */
  take(bytes: Uint8Array, from: number, to: number): void {
    this.#length += to - from;
    if (this.#length > LONGEST_LINE)
      throw this.#wrong(`it has more than ${LONGEST_LINE} bytes, which no export has`);
    const reason = this.#scanner.scan(bytes, from, to);
    if (reason !== undefined) throw this.#wrong(reason);
  }

  /** Ends the line. */
  end(): void {
    if (!this.#scanner.complete) throw this.#wrong("this is not JSON");
  }

  has(name: string): boolean {
    return this.#present.has(name);
  }

  /** Returns the value of `column`, `kind`, `rows`, `columns` or `sha256`; undefined if the field is absent. */
  text(name: string): unknown {
    return this.has(name) ? this.#texts.get(name)?.finish() : undefined;
  }

  /** Returns the bytes of `key` or `value`. */
  bytes(name: "key" | "value"): Uint8Array {
    if (!this.has(name)) throw this.#wrong(`\`${name}\` is missing`);
    return this.#hex[name].finish();
  }

  #choose(name: string): TakePart | undefined {
    const collector = name === "key" || name === "value" ? this.#hex[name] : this.#texts.get(name);
    if (collector === undefined && name !== "error" && name !== "undecrypted") return undefined;
    if (this.#present.has(name)) throw this.#wrong(`the field \`${name}\` is repeated`);
    this.#present.add(name);
    collector?.begin();
    return collector?.take;
  }
}
