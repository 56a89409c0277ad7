/** A value in untrusted JSON, with its place. */
import { quoted } from "../../bytes/visible.js";
import { describe } from "../../codec/index.js";
import { ManifestError, type ManifestProblem } from "./manifest-error.js";

/** Steps of a path that stand without quotes. */
const PLAIN = /^[A-Za-z_]\w{0,63}$/;

/** A value of a JSON text, with the steps from the root to it. Only own properties are read. */
export class JsonPlace {
  /** The value: of any type. */
  readonly value: unknown;
  /** The number of steps from the root. */
  readonly depth: number;
  readonly #above: JsonPlace | undefined;
  readonly #step: string | number;

  private constructor(value: unknown, above: JsonPlace | undefined, step: string | number) {
    this.value = value;
    this.depth = above === undefined ? 0 : above.depth + 1;
    this.#above = above;
    this.#step = step;
  }

  /** The whole of a JSON text. */
  static root(value: unknown): JsonPlace {
    return new JsonPlace(value, undefined, "");
  }

  /** The path, for people: `$.types.Config.fields[3]`. */
  get path(): string {
    const steps: string[] = [];
    for (let at: JsonPlace = this; at.#above !== undefined; at = at.#above) steps.push(stepText(at.#step));
    return `$${steps.reverse().join("")}`;
  }

  /** Makes the error for a problem at this place. */
  wrong(code: ManifestProblem, problem: string): ManifestError {
    return new ManifestError(code, this.path, problem);
  }

  /** The member of an object; undefined if it is absent or null. */
  optional(name: string): JsonPlace | undefined {
    const value = Object.hasOwn(this.object(), name) ? this.object()[name] : undefined;
    return value === undefined || value === null ? undefined : new JsonPlace(value, this, name);
  }

  /** The member of an object, which must be there. */
  member(name: string): JsonPlace {
    const found = this.optional(name);
    if (found === undefined) throw this.wrong("ABI_INVALID", `"${name}" is missing`);
    return found;
  }

  /** The members of an object, with their names. */
  entries(): (readonly [name: string, place: JsonPlace])[] {
    return Object.entries(this.object()).map(([name, value]) => [name, new JsonPlace(value, this, name)]);
  }

  /** The elements of a list. */
  items(): JsonPlace[] {
    if (!Array.isArray(this.value)) throw this.expected("a list");
    return Array.from(this.value, (value: unknown, index) => new JsonPlace(value, this, index));
  }

  /** The elements of a list that may be absent. */
  itemsOf(name: string): JsonPlace[] {
    return this.optional(name)?.items() ?? [];
  }

  /** The text that this is. */
  text(): string {
    if (typeof this.value !== "string") throw this.expected("a text");
    return this.value;
  }

  /** The boolean that this is. */
  flag(): boolean {
    if (typeof this.value !== "boolean") throw this.expected("true or false");
    return this.value;
  }

  /** The whole number from 0 to 2³² − 1 that this is. */
  u32(): number {
    const { value } = this;
    if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > 0xffff_ffff)
      throw this.expected("a whole number from 0 to 4294967295");
    return value;
  }

  /** The one of some texts that this is. */
  choice<T extends string>(choices: readonly T[]): T {
    const found = choices.find((one) => one === this.value);
    if (found === undefined)
      throw this.wrong("ABI_INVALID", `expected ${choices.join(" or ")}, found ${quoted(this.value)}`);
    return found;
  }

  /** The error for a value of another type. */
  expected(what: string): ManifestError {
    return this.wrong("ABI_INVALID", `expected ${what}, found ${describe(this.value)}`);
  }

  object(): Readonly<Record<string, unknown>> {
    const { value } = this;
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw this.expected("an object");
    return value as Readonly<Record<string, unknown>>;
  }
}

function stepText(step: string | number): string {
  if (typeof step === "number") return `[${step}]`;
  return PLAIN.test(step) ? `.${step}` : `[${quoted(step)}]`;
}
