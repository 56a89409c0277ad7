/** Columns that consist of others: lists, maps, structs and enums. */
import { isMap } from "../../bytes/realm.js";
import { Payload } from "../../codec/index.js";
import { invalidArgument } from "../../errors.js";
import type { Bindings, Vector } from "../binding.js";
import { type FieldLayout, isNumber, type Layout, type VariantLayout, withFields } from "../layout.js";
import { enlarged } from "./cells.js";
import { boolColumn, Column, HiddenColumn, numberColumn, TextColumn } from "./column.js";

/** Creates a column of a layout. @param reveal shows secrets, which are null otherwise */
export function columnOf(layout: Layout, reveal: boolean): Column {
  if (isNumber(layout.is)) return numberColumn(layout.is);
  switch (layout.is) {
    case "bool":
      return boolColumn();
    case "text":
    case "hex":
      return new TextColumn();
    case "decimal":
      return new TextColumn(String);
    case "json": {
      const { codec } = layout;
      const hides = codec.secret && !reveal;
      const column = new TextColumn((value) => JSON.stringify(codec.toJson(value)));
      return hides ? new HiddenColumn(column) : column;
    }
    case "list":
      return new ListColumn(columnOf(layout.of, reveal));
    case "map":
      return new MapColumn(columnOf(layout.key, reveal), columnOf(layout.value, reveal));
    case "struct":
      return new StructColumn(layout.fields, reveal);
    case "enum":
      return new EnumColumn(layout.variants, reveal);
    case "secret": {
      const column = columnOf(layout.of, reveal);
      return reveal ? column : new HiddenColumn(column);
    }
  }
}

/** The start of each list among the values of all lists, and their number. */
class ListColumn extends Column {
  readonly #values: Column;
  #count = 0;
  #bytes = new Uint8Array(16);
  #entries = new BigUint64Array(this.#bytes.buffer);

  constructor(values: Column) {
    super();
    this.#values = values;
  }

  protected override set(at: number, value: unknown): void {
    if (!Array.isArray(value)) throw invalidArgument("expected a list");
    this.begin(at, value.length);
    for (let index = 0; index < value.length; index++) this.#values.put(this.#count++, value[index]);
  }

  /** Notes a list whose values follow. */
  protected begin(at: number, length: number): void {
    this.#hold(at + 1);
    this.#entries[2 * at] = BigInt(this.#count);
    this.#entries[2 * at + 1] = BigInt(length);
  }

  #hold(cells: number): void {
    if (2 * cells <= this.#entries.length) return;
    this.#bytes = enlarged(this.#bytes, 16 * cells);
    this.#entries = new BigUint64Array(this.#bytes.buffer);
  }

  override clear(): void {
    super.clear();
    this.#values.clear();
    this.#entries.fill(0n);
    this.#count = 0;
  }

  override copyTo(bindings: Bindings, vector: Vector, cells: number): void {
    bindings.list_vector_reserve(vector, this.#count);
    bindings.list_vector_set_size(vector, this.#count);
    if (this.#count > 0) this.#values.copyTo(bindings, bindings.list_vector_get_child(vector), this.#count);
    this.#hold(cells);
    if (cells > 0) bindings.copy_data_to_vector(vector, 0, this.#bytes.buffer, 0, 16 * cells);
    super.copyTo(bindings, vector, cells);
  }
}

/** DuckDB keeps a map as a list of structs of `key` and `value`. */
class MapColumn extends ListColumn {
  constructor(key: Column, value: Column) {
    super(new Fields([key, value], (entry, at) => (entry as readonly unknown[])[at]));
  }

  protected override set(at: number, value: unknown): void {
    if (!isMap(value)) throw invalidArgument("expected a map");
    super.set(at, [...value]);
  }
}

/** Columns beside each other, as DuckDB keeps a struct. */
class Fields extends Column {
  readonly #columns: readonly Column[];
  readonly #read: (value: unknown, index: number) => unknown;

  constructor(columns: readonly Column[], read: (value: unknown, index: number) => unknown) {
    super();
    this.#columns = columns;
    this.#read = read;
  }

  protected override set(at: number, value: unknown): void {
    for (let index = 0; index < this.#columns.length; index++)
      (this.#columns[index] as Column).put(at, this.#read(value, index));
  }

  override clear(): void {
    super.clear();
    for (const column of this.#columns) column.clear();
  }

  override copyTo(bindings: Bindings, vector: Vector, cells: number): void {
    for (const [index, column] of this.#columns.entries())
      column.copyTo(bindings, bindings.struct_vector_get_child(vector, index), cells);
    super.copyTo(bindings, vector, cells);
  }
}

class StructColumn extends Fields {
  constructor(fields: readonly FieldLayout[], reveal: boolean) {
    super(
      fields.map(({ layout }) => columnOf(layout, reveal)),
      (value, index) => fieldOf(value, fields[index] as FieldLayout),
    );
  }
}

class EnumColumn extends Fields {
  constructor(all: readonly VariantLayout[], reveal: boolean) {
    const variants = withFields(all);
    super(
      [new TextColumn(), ...variants.map(({ fields }) => new StructColumn(fields, reveal))],
      (value, index) => {
        const { kind } = value as { readonly kind: string };
        if (index === 0) return kind;
        return variants[index - 1]?.kind === kind ? value : undefined;
      },
    );
  }
}

/** The value of a field in an object. */
export function fieldOf(value: unknown, { property, part, kinds }: FieldLayout): unknown {
  const of = value as Readonly<Record<string, unknown>>;
  if (kinds !== undefined && !kinds.includes(of.kind as string | undefined)) return undefined;
  const field = of[property];
  if (part === undefined || !(field instanceof Payload)) return part === "raw" ? undefined : field;
  const decoded: unknown = field.value;
  if (part === "decoded") return decoded;
  return decoded === undefined ? field.bytes : undefined;
}
