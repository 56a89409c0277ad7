/** The order of values in Rust's derived `Ord`: maps and sets are written in the order of their keys. */
import { compareBytes } from "../bytes/order.js";
import { invalidArgument } from "../errors.js";
import type { Codec, ShapeFields } from "./codec.js";
import { keyNames } from "./map-keys.js";
import type { Payload } from "./payload.js";

/** Compares two values: negative if the first comes before the second, 0 if they are equal. */
type Compare<T> = (a: T, b: T) => number;

const encoder = new TextEncoder();

/**
 * Returns the order of the values of a codec. Values of a codec without a shape are sorted by their JSON form.
 *
 * @param what the type that sorts them, for the message
 * @throws MerostoreError `INVALID_ARGUMENT` for numbers with fractions at any depth, which Rust does not sort
 */
export function orderOf(codec: Codec<unknown>, what: string): Compare<unknown> {
  const { shape } = codec;
  switch (shape.is) {
    case "bool":
    case "integer":
      return byValue as Compare<unknown>;
    case "float":
      throw invalidArgument(`${what} of ${codec.signature}: Rust does not sort such numbers`);
    case "text":
      return byText as Compare<unknown>;
    case "bytes":
      return compareBytes as Compare<unknown>;
    case "names":
      return (a, b) => shape.names.indexOf(a as string) - shape.names.indexOf(b as string);
    case "unit":
      return () => 0;
    case "option": {
      const order = orderOf(shape.of, what);
      return (a, b) => (a === null || b === null ? Number(a !== null) - Number(b !== null) : order(a, b));
    }
    case "list":
      return byElements(orderOf(shape.of, what)) as Compare<unknown>;
    case "tuple":
      return inTurn(
        shape.of.map((of, index) => [`${index}`, of]),
        what,
      );
    case "struct":
      return inTurn(shape.fields, what);
    case "enum": {
      const kinds = shape.variants.map(([kind]) => kind);
      const orders = new Map(shape.variants.map(([kind, fields]) => [kind, inTurn(fields, what)]));
      const kindOf = (value: unknown): string => (value as { readonly kind: string }).kind;
      return (a, b) =>
        kinds.indexOf(kindOf(a)) - kinds.indexOf(kindOf(b)) || (orders.get(kindOf(a))?.(a, b) ?? 0);
    }
    case "payload":
      return (a, b) => compareBytes((a as Payload<unknown>).bytes, (b as Payload<unknown>).bytes);
    case "secret":
      return orderOf(shape.of, what);
    case "map": {
      const { fromName } = keyNames(shape.key);
      const byKey = orderOf(shape.key, what);
      const order = byElements(
        inTurn(
          [
            ["0", shape.key],
            ["1", shape.value],
          ],
          what,
        ),
      );
      const sorted = (map: unknown) =>
        [...(map as ReadonlyMap<string, unknown>)]
          .map(([key, value]) => [fromName(key), value] as const)
          .sort(([a], [b]) => byKey(a, b));
      return (a, b) => order(sorted(a), sorted(b));
    }
    case "self": {
      let order: Compare<unknown> | undefined;
      const resolved = (): Compare<unknown> => (order ??= orderOf(shape.of() as Codec<unknown>, what));
      if (shape.of() === undefined) shape.whenDefined(resolved);
      return (a, b) => resolved()(a, b);
    }
    case "other":
      return (a, b) => byText(jsonText(codec, a), jsonText(codec, b));
  }
}

function byValue<T extends number | bigint | boolean>(a: T, b: T): number {
  return a < b ? -1 : Number(a > b);
}

/** By UTF-8. The order of UTF-16 differs beyond 65,535. */
function byText(a: string, b: string): number {
  return compareBytes(encoder.encode(a), encoder.encode(b));
}

function byElements(order: Compare<unknown>): Compare<readonly unknown[]> {
  return (a, b) => {
    for (let index = 0; index < a.length && index < b.length; index++) {
      const found = order(a[index], b[index]);
      if (found !== 0) return found;
    }
    return a.length - b.length;
  };
}

function inTurn(fields: ShapeFields, what: string): Compare<unknown> {
  const orders = fields.map(([name, codec]) => [name, orderOf(codec, what)] as const);
  return (a, b) => {
    for (const [name, order] of orders) {
      const [first, second] = [a, b].map((value) => (value as Readonly<Record<string, unknown>>)[name]);
      const found = order(first, second);
      if (found !== 0) return found;
    }
    return 0;
  };
}

function jsonText(codec: Codec<unknown>, value: unknown): string {
  const json = codec.show(value);
  return typeof json === "string" ? json : JSON.stringify(json);
}
