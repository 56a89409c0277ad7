/**
 * The factory of key classes. A declaration names the column family, the prefix byte and the parts; sizes, bytes,
 * ranges, text form and static types are derived from them.
 */
import { copyBytes, isBytes, ownBytes } from "../bytes/bytes.js";
import { keyAfter, successor } from "../bytes/order.js";
import type { AnyKey, AnyKeyClass, AnyPart, FreeNames, KeyClass, KeyRange } from "./key-class.js";
import { KeyLayout } from "./layout.js";
import { partToJson } from "./part-json.js";

/** The values of a key that is created from bytes. */
const NOTHING: Readonly<Record<string, unknown>> = {};

/**
 * Declares a key class.
 *
 * @example
 * class GroupOpLog extends keyParts("GroupOpLog", "Group", 0x30, id32("groupId"), u64be("sequence")) {}
 * GroupOpLog.SIZE; // 41
 * new GroupOpLog({ groupId, sequence: 1n }).toBytes();
 * GroupOpLog.range({ groupId }); // all operations of one group, in sequence order
 */
export function keyParts<
  const K extends string,
  const C extends string,
  const X extends number | undefined,
  const P extends readonly AnyPart[],
>(kind: K, column: C, prefix: X, ...parts: P & FreeNames<P>): KeyClass<K, C, X, P> {
  const layout = new KeyLayout(kind, prefix, parts);

  class Base implements AnyKey {
    static readonly KIND = kind;
    static readonly COLUMN = column;
    static readonly PREFIX = prefix;
    static readonly SIZE = layout.size;
    static readonly VARIABLE = layout.variable;
    static readonly PARTS = parts;
    static readonly FIELDS = layout.fields;
    declare readonly KIND: K;
    declare readonly COLUMN: C;
    readonly bytes: Uint8Array;

    /** Only `fromBytes` and `view` pass `bytes`, after checking them. */
    constructor(values: Readonly<Record<string, unknown>>, bytes?: Uint8Array) {
      this.bytes = bytes ?? layout.encode(values ?? NOTHING, true);
    }

    static matches(bytes: Uint8Array): boolean {
      return layout.matches(bytes);
    }

    static fromBytes(bytes: Uint8Array): Base {
      if (!isBytes(bytes) || !layout.matches(bytes)) throw layout.mismatch(bytes);
      return new this(NOTHING, copyBytes(bytes));
    }

    static view(bytes: Uint8Array): Base {
      if (!layout.matches(bytes)) throw layout.mismatch(bytes);
      return new this(NOTHING, ownBytes(bytes));
    }

    static range(leading: Readonly<Record<string, unknown>> = {}): KeyRange<AnyKeyClass> {
      const start = layout.encode(leading, false);
      const from = start.length === 0 ? undefined : start;
      // With all parts given, the range is one key: a successor would include longer keys of a variable class.
      const whole = parts.length > 0 && parts.every(({ name }) => leading[name] !== undefined);
      return {
        key: this as unknown as AnyKeyClass,
        column,
        gte: from,
        lt: whole ? keyAfter(start) : successor(start),
      };
    }

    toBytes(): Uint8Array {
      return copyBytes(this.bytes);
    }

    toString(): string {
      const values = this as unknown as Readonly<Record<string, unknown>>;
      return `${kind}(${parts.map((part) => `${part.name}=${partToJson(kind, part, values[part.name])}`).join(", ")})`;
    }

    toJSON(): { readonly [part: string]: string | number } {
      const values = this as unknown as Readonly<Record<string, unknown>>;
      return Object.fromEntries(parts.map((part) => [part.name, partToJson(kind, part, values[part.name])]));
    }

    /** The output of `console.log` in Node. */
    [Symbol.for("nodejs.util.inspect.custom")](): string {
      return this.toString();
    }
  }

  const constants = { KIND: kind, COLUMN: column, PREFIX: prefix, PARTS: parts };
  for (const [name, value] of Object.entries(constants)) {
    Object.defineProperty(Base.prototype, name, { value });
  }
  parts.forEach(({ name }, index) => {
    Object.defineProperty(Base.prototype, name, {
      get(this: Base) {
        return layout.decode(this.bytes, index);
      },
    });
  });
  return Base as unknown as KeyClass<K, C, X, P>;
}
