/** The part of a database that a check is limited to: the rows of one context, or of one group. */
import { toHex } from "../bytes/hex.js";
import { equalBytes } from "../bytes/order.js";
import type { ByteRange, RawRow } from "../engine/engine.js";
import type { AnyKeyClass } from "../keys/index.js";
import type { ReplayFact } from "../node/replay/index.js";
import type { Schema } from "../schemas/index.js";

/** The id that rows in the scope name in their keys. */
export interface Scope {
  /** The meaning of the id. */
  readonly of: "context" | "group";
  /** The id, 32 bytes. */
  readonly id: Uint8Array;
}

/** The parts of keys with the id of a group or a namespace. A namespace is the group at the root of a tree. */
const GROUP_PARTS = ["groupId", "namespaceId", "parentGroupId", "childGroupId"];

/**
 * The part of a kind's key that contains the id; undefined if its rows have no such id. For groups, only kinds whose
 * keys begin with the group count: rules go from group to group, and expect all rows of a group together.
 */
function partOf(kind: AnyKeyClass, { of }: Scope): AnyKeyClass["FIELDS"][number] | undefined {
  if (of === "context") return kind.FIELDS.find(({ name }) => name === "contextId");
  const [first] = kind.PARTS;
  return first !== undefined && GROUP_PARTS.includes(first.name)
    ? kind.FIELDS.find(({ name }) => name === first.name)
    : undefined;
}

/** Returns whether rows of a kind can be in the scope. */
export function canBeIn(kind: AnyKeyClass, scope: Scope | undefined): boolean {
  return scope === undefined || partOf(kind, scope) !== undefined;
}

/** Returns whether a row is in the scope. */
export function isIn(schema: Schema, column: string, { key }: RawRow, scope: Scope | undefined): boolean {
  if (scope === undefined) return true;
  const kind = schema.identify(column, key)?.key;
  const field = kind && partOf(kind, scope);
  return field !== undefined && equalBytes(key.subarray(field.offset, field.offset + ID_BYTES), scope.id);
}

/**
 * The range of a column family that can contain rows in the scope: the range of the id if all its keys begin with an
 * id.
 */
export function rangeOf(schema: Schema, column: string, scope: Scope | undefined): ByteRange {
  if (scope === undefined) return {};
  const kinds = schema.rows.filter((row) => row.column === column).map(({ key }) => key);
  const [first] = kinds;
  const leads = (kind: AnyKeyClass): boolean =>
    kind.PREFIX === undefined && partOf(kind, scope)?.offset === 0;
  if (first === undefined || !kinds.every(leads)) return {};
  const { gte: from, lt: to } = first.range({ [first.PARTS[0]?.name as string]: scope.id });
  return { gte: from, lt: to };
}

/**
 * Returns whether a fact of a replay is about the group of the scope. A fact about no single group is about its
 * namespace.
 */
export function isAbout(fact: ReplayFact, scope: Scope | undefined): boolean {
  return scope === undefined || (scope.of === "group" && groupOf(fact) === toHex(scope.id));
}

function groupOf(fact: ReplayFact): string {
  if ("group" in fact) return fact.group;
  if ("operation" in fact) return fact.operation.group ?? fact.operation.namespace;
  return fact.namespace;
}

const ID_BYTES = 32;
