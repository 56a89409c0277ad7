/** Corruptions of single rows, by a faulty disk, a wrong merge of two copies, or somebody with an editor. */
import { toHex } from "../../../src/bytes/hex.js";
import { equalBytes } from "../../../src/bytes/order.js";
import type { AnyKeyClass } from "../../../src/keys/index.js";
import type { AnyRow, Schema } from "../../../src/schemas/index.js";
import { atOnce } from "../../../src/steps.js";
import { examine } from "../../../src/verify/examine.js";
import { fieldsOf } from "../../faults/values/fields.js";
import type { Change, StoredRow } from "../../faults/values/subject.js";

/**
 * The changes of a row. `removed`: it is deleted. `changed`: a field has another value. `swapped`: it and another row
 * of its kind exchange their values. `added`: a copy of it has an unknown id. `orphaned`: a copy of it belongs to a
 * group, context or namespace that does not exist. `moved`: it belongs to another one that exists.
 */
export const DEEDS = ["removed", "changed", "swapped", "added", "orphaned", "moved"] as const;

export type Deed = (typeof DEEDS)[number];

/** A corruption of a row. */
export interface Corruption {
  readonly deed: Deed;
  readonly changes: readonly Change[];
  /** The exact change, for the message of a test. */
  readonly what: string;
}

/** For a part of a key, the kinds of rows that are identified by it: their keys provide its other values. */
const OWNERS: Readonly<Record<string, readonly string[]>> = {
  groupId: ["GroupMeta"],
  childGroupId: ["GroupMeta"],
  parentGroupId: ["GroupMeta"],
  namespaceId: ["NamespaceGovHead"],
  scope: ["NamespaceGovHead", "ContextMeta"],
  contextId: ["ContextMeta"],
  applicationId: ["ApplicationMeta"],
};

/** An id that no row has. It is a point of the curve, like the ids of contexts and keys. */
const FOREIGN = new Uint8Array(32).fill(0xee);

/** Makes the corruptions of the rows of a database. */
export class Corrupter {
  readonly #schema: Schema;
  readonly #rows: readonly StoredRow[];
  /** Rows of another node: kinds that a node has only once take their other values from these. */
  readonly #others: readonly StoredRow[];
  readonly #keys: ReadonlySet<string>;
  readonly #owners: ReadonlyMap<string, readonly Uint8Array[]>;

  constructor(schema: Schema, rows: readonly StoredRow[], others: readonly StoredRow[]) {
    this.#schema = schema;
    this.#rows = rows;
    this.#others = others;
    this.#keys = new Set(rows.map(({ column, key }) => `${column} ${toHex(key)}`));
    this.#owners = new Map(
      Object.entries(OWNERS).map(([part, kinds]) => [
        part,
        rows
          .filter((row) => kinds.includes(this.#rowOf(row).kind))
          .map(({ key }) => key.subarray(key.length - 32)),
      ]),
    );
  }

  /** All corruptions of a row. */
  *of(row: StoredRow): Generator<Corruption> {
    const { column, key, value } = row;
    const kind = this.#rowOf(row).key;
    yield corruption("removed", "", [{ column, key, value: undefined }]);
    for (const [field, other] of this.#changed(row))
      yield corruption("changed", field, [{ column, key, value: other }]);
    yield* this.#swapped(row);
    const [owner, last] = [kind.FIELDS.find(({ name }) => name !== "prefix"), kind.FIELDS.at(-1)];
    if (owner === undefined || last === undefined) return;
    if (owner !== last) yield* this.#copied("added", row, withPart(kind, key, last.name));
    yield* this.#copied("orphaned", row, withPart(kind, key, owner.name));
    for (const other of this.#owners.get(owner.name) ?? []) {
      const moved = withPart(kind, key, owner.name, other);
      if (this.#has(column, moved)) continue;
      const changes = [
        { column, key, value: undefined },
        { column, key: moved, value },
      ];
      yield corruption("moved", toHex(other), changes);
      break;
    }
  }

  #rowOf({ column, key }: StoredRow): AnyRow {
    return this.#schema.identify(column, key) as AnyRow;
  }

  #has(column: string, key: Uint8Array): boolean {
    return this.#keys.has(`${column} ${toHex(key)}`);
  }

  /** The value with another last byte in each field, if a node could have written the whole. */
  *#changed(row: StoredRow): Generator<readonly [field: string, value: Uint8Array]> {
    const { column, key } = row;
    const fields = fieldsOf(this.#schema, row);
    for (const field of new Set(fields)) {
      const value = row.value.slice();
      const at = fields.lastIndexOf(field);
      value[at] = (value[at] as number) ^ 1;
      // Any other changed row shows the fault by itself.
      if (atOnce(examine(this.#schema, column, { key, value })).state === "canonical") yield [field, value];
    }
  }

  *#swapped(row: StoredRow): Generator<Corruption> {
    const { key: kind } = this.#rowOf(row);
    const once = kind.SIZE === 1;
    const other = (once ? this.#others : this.#rows).find(
      (other) =>
        this.#schema.identify(other.column, other.key)?.key === kind && !equalBytes(other.value, row.value),
    );
    if (other === undefined) return;
    const changes = [{ ...row, value: other.value }];
    yield corruption(
      "swapped",
      toHex(other.key),
      once ? changes : [...changes, { ...other, value: row.value }],
    );
  }

  *#copied(deed: Deed, { column, value }: StoredRow, key: Uint8Array): Generator<Corruption> {
    if (!this.#has(column, key)) yield corruption(deed, "", [{ column, key, value }]);
  }
}

function corruption(deed: Deed, what: string, changes: readonly Change[]): Corruption {
  return { deed, what, changes };
}

/** A key with another part; in a part that is not an id, a bit of the first byte is turned. */
function withPart(kind: AnyKeyClass, key: Uint8Array, name: string, id: Uint8Array = FOREIGN): Uint8Array {
  const field = kind.FIELDS.find((field) => field.name === name);
  const other = key.slice();
  if (field === undefined) return other;
  const { offset, size } = field;
  if (size === 32) other.set(id, offset);
  else if (offset < other.length) other[offset] = (other[offset] as number) ^ 1;
  return other;
}
