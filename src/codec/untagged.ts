/** Values in one of several layouts without a tag: a layout that takes all bytes to the end is chosen. */
import type { Steps } from "../steps.js";
import { Codec, type Decoded, type Shape, type ShapeFields, type Size } from "./codec.js";
import { checkLayouts } from "./declarations.js";
import { describe, ReadFailure, WriteFailure, within } from "./errors.js";
import type { Json, JsonOptions } from "./json.js";
import type { Reader } from "./reader.js";
import type { Plain } from "./struct.js";
import type { Writer } from "./writer.js";

type Value = Readonly<Record<string, unknown>>;

/** Layouts by name, each with the codec of a struct. */
export type Layouts = Readonly<Record<string, Codec<unknown>>>;

/** The value of one of these layouts: its fields, and the name of the layout as `kind`. */
export type UntaggedOf<L extends Layouts> = {
  [K in keyof L]: Plain<
    {
      /** The name of the layout. */
      readonly kind: K;
    } & Decoded<L[K]>
  >;
}[keyof L];

/** The codec of `untagged`. A subclass chooses which layouts are tried. */
export class Untagged<T> extends Codec<T> {
  readonly signature: string;
  readonly size: Size;
  override readonly inner: readonly Codec<unknown>[];
  /** The layouts by name. They are tried in this order. */
  protected readonly layouts: ReadonlyMap<unknown, Codec<unknown>>;
  readonly #isLikely: (value: T) => boolean;

  constructor(type: string, layouts: Layouts, isLikely: (value: T) => boolean = () => true) {
    super(type);
    checkLayouts(type, layouts);
    this.signature = type;
    this.#isLikely = isLikely;
    const codecs = Object.values(layouts);
    this.layouts = new Map(Object.keys(layouts).map((kind, at) => [kind, codecs[at] as Codec<unknown>]));
    this.inner = codecs.flatMap(({ inner }) => inner);
    this.size = { min: Math.min(...codecs.map(({ size }) => size.min)), max: undefined };
  }

  /** @internal */
  override get shape(): Shape {
    return {
      is: "enum",
      untagged: true,
      variants: [...this.layouts].map(([kind, { shape }]) => [
        kind as string,
        shape.is === "struct" ? shape.fields : ([] as ShapeFields),
      ]),
    };
  }

  override get layout(): string {
    return [...this.layouts].map(([kind, { layout }]) => `${kind} ${layout}`).join(" or ");
  }

  read(reader: Reader): T {
    return this.readAs(reader, [...this.layouts.keys()]);
  }

  /**
   * Reads the rest of the bytes in the first of these layouts that reads them all and gives a likely value, or else in
   * the first that reads them all. On failure, the error is from the layout that read the most bytes.
   */
  protected readAs(reader: Reader, kinds: readonly unknown[]): T {
    const start = reader.at;
    const { trace } = reader;
    reader.trace = undefined;
    let found: { readonly kind: unknown; readonly value: T } | undefined;
    let failure: ReadFailure | undefined;
    for (const kind of kinds) {
      reader.at = start;
      const value = this.#tryRead(reader, kind);
      if (value instanceof ReadFailure) {
        if (failure === undefined || value.offset > failure.offset) failure = value;
      } else if (this.#isLikely(value)) {
        found = { kind, value };
        break;
      } else found ??= { kind, value };
    }
    reader.trace = trace;
    if (found === undefined) throw failure;
    reader.at = start;
    if (trace === undefined) reader.at = reader.bytes.length;
    else {
      trace.note("kind", "layout", start, start, found.kind as string);
      this.layouts.get(found.kind)?.read(reader);
    }
    return found.value;
  }

  /** @internal */
  override *reading(reader: Reader): Steps<T> {
    const { at, isExact } = reader;
    // A subclass chooses which layouts are tried.
    const layouts = this.read === Untagged.prototype.read ? this.layouts : [];
    for (const [kind, layout] of layouts) {
      try {
        const value = { kind, ...((yield* layout.reading(reader)) as Value) } as T;
        if (reader.left === 0 && this.#isLikely(value)) return value;
      } catch (error) {
        if (!(error instanceof ReadFailure)) throw error;
      }
      reader.at = at;
      reader.isExact = isExact;
    }
    return this.readCompared(reader);
  }

  #tryRead(reader: Reader, kind: unknown): T | ReadFailure {
    try {
      const value = this.layouts.get(kind)?.read(reader) as Value;
      if (reader.left === 0) return { kind, ...value } as T;
      return reader.fail("the end", `${reader.left} more`, reader.at);
    } catch (error) {
      if (error instanceof ReadFailure) return error;
      throw error;
    }
  }

  write(writer: Writer, value: T): void {
    const [codec, fields] = this.#split(value);
    codec.write(writer, fields);
  }

  show(value: T, options?: JsonOptions): Json {
    const [codec, fields, kind] = this.#split(value);
    return { kind, ...(codec.show(fields, options) as { readonly [key: string]: Json }) };
  }

  parse(json: Json): T {
    const [codec, fields, kind] = this.#split(json);
    return { kind, ...(codec.parse(fields as Json) as Value) } as T;
  }

  /** The codec of a value, and its fields without the name of the layout. */
  #split(value: unknown): readonly [codec: Codec<unknown>, fields: Value, kind: string] {
    if (typeof value !== "object" || value === null)
      throw new WriteFailure("an object with a kind", describe(value));
    const { kind, ...fields } = value as Value;
    const codec = this.layouts.get(kind);
    if (codec !== undefined) return [codec, fields, kind as string];
    throw within(new WriteFailure(`one of ${[...this.layouts.keys()].join(", ")}`, describe(kind)), "kind");
  }
}

/**
 * Values that take all bytes to the end, in one of several layouts without a tag. The layouts are tried in their order;
 * the first whose value is likely is taken, else the first that takes all bytes. A value has the name of its layout as
 * `kind`, so that it is written as it was read.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for a layout that is not a struct, has a field `kind`, or is named like an
 *   integer or `__proto__`
 */
export function untagged<const L extends Layouts>(
  type: string,
  layouts: L,
  isLikely?: (value: UntaggedOf<L>) => boolean,
): Codec<UntaggedOf<L>> {
  return new Untagged(type, layouts, isLikely);
}
