/**
 * The types of collections whose rows state a kind and no Rust types. Only a manifest has the types of their values.
 */
import type { AnyCrdtType } from "../index-row.js";
import { formed, type ValueForms } from "../types/forms.js";
import type { CollectionType, Type } from "../types/type.js";

const VALUES: Type = { kind: "unknown", name: "of the values" };

/** The type of a collection of a kind; undefined for a kind that is not a collection's. */
export function typeOfKind(
  kind: AnyCrdtType["kind"] | undefined,
  name: string | null,
  forms: ValueForms,
): CollectionType | undefined {
  const type = plainTypeOf(kind, name ?? "");
  return type && formed(type, forms);
}

function plainTypeOf(kind: AnyCrdtType["kind"] | undefined, name: string): CollectionType | undefined {
  const authored = name.startsWith("__authored_") || name.startsWith("__write_once_");
  const map = { kind: "map", sorted: false, authored, key: undefined, value: VALUES } as const;
  if (/^__counter_(?:internal_.*_)?(?:positive|negative)$/s.test(name))
    return { kind: "counter", signed: false };
  switch (kind) {
    case "UnorderedMap":
    case "UserStorage":
    case "FrozenStorage":
      if (name.startsWith("__user_storage_")) return { kind: "user", value: VALUES };
      if (name.startsWith("__frozen_storage_")) return { kind: "frozen", value: VALUES };
      if (name.startsWith("__authored_vector_")) return { kind: "vector", authored, item: VALUES };
      return name.startsWith("__authored_sorted_map_") ? { ...map, sorted: true } : map;
    case "SortedMap":
      return { ...map, sorted: true };
    case "UnorderedSet":
    case "SortedSet":
      return { kind: "set", sorted: kind === "SortedSet", item: VALUES };
    case "Vector":
      return { kind: "vector", authored, item: VALUES };
    case "GCounter":
      return { kind: "counter", signed: false };
    case "PnCounter":
      return { kind: "counter", signed: true };
    case "Rga":
    case "FugueText":
      return { kind: "sequence", hasRuns: kind === "FugueText" };
    case "SharedStorage":
      return { kind: "shared", value: VALUES };
    default:
      return undefined;
  }
}
