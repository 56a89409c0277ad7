/** Records and enums whose parts are computed on request, because types can be recursive. */
import { once } from "../../node/tables/once.js";
import type { FieldType, RecordType, VariantType } from "./type.js";

/** A record; `compute` returns its fields. */
export function lazyRecord(name: string | undefined, compute: () => readonly FieldType[]): RecordType {
  const fields = once(compute);
  return {
    kind: "record",
    name,
    get fields() {
      return fields();
    },
  };
}

/** An enum; `compute` returns its variants, by their tag. */
export function lazyVariant(name: string, compute: () => VariantType["variants"]): VariantType {
  const variants = once(compute);
  return {
    kind: "variant",
    name,
    get variants() {
      return variants();
    },
  };
}
