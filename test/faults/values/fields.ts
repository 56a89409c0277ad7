/** The field that a byte of a value belongs to. */

import type { Payload } from "../../../src/codec/index.js";
import { ContextPrivateState011, ContextState011, ScopeUnifiedOp } from "../../../src/keys/index.js";
import type { Op011 } from "../../../src/payloads/index.js";
import { type AnyRow, explainValue, type Piece, type Schema } from "../../../src/schemas/index.js";
import type { StoredRow } from "./subject.js";

/**
 * The name of a kind of row, divided as rules look at it: rows of the state into index rows, rows of tries, data, and
 * data of no entity; operations into those of contexts and of namespaces.
 */
export function kindOf(schema: Schema, row: StoredRow, isData: (row: StoredRow) => boolean): string {
  const { column, key, value } = row;
  const known = schema.identify(column, key) as AnyRow;
  const at = known.key.fromBytes(key);
  const shown = known.shown(at, value);
  const isState = known.kind === ContextState011.KIND || known.kind === ContextPrivateState011.KIND;
  if (isState && shown !== known.value) {
    const decoded = shown.decode(value) as
      | Deletable
      | { readonly index: Deletable }
      | { readonly kind: string };
    if ("kind" in decoded) return `${known.kind}, row of a trie`;
    const { deletedAt } = "index" in decoded ? decoded.index : decoded;
    return `${known.kind}, index${deletedAt === null ? "" : " of what is deleted"}`;
  }
  if (isState) return `${known.kind}, ${isData(row) ? "data" : "data of no entity"}`;
  if (known.kind !== ScopeUnifiedOp.KIND) return known.kind;
  const op = (known.value.decode(value) as Payload<Op011>).value;
  return `${known.kind}${op?.payload.kind === "SetWriters" ? " of a context" : ""}`;
}

interface Deletable {
  readonly deletedAt: bigint | null;
}

/** The fields of a value: the innermost field of each byte, without places in lists. */
export function fieldsOf(schema: Schema, { column, key, value }: StoredRow): readonly string[] {
  const row = schema.identify(column, key) as AnyRow;
  const { pieces } = explainValue(row.shown(row.key.fromBytes(key), value), value);
  const fields: string[] = new Array(value.length).fill("");
  const open: Piece[] = [];
  for (const piece of pieces) {
    while (open.length > piece.depth) open.pop();
    open.push(piece);
    const path = open
      .map(({ name }) => name)
      .filter((name) => name !== "")
      .join(".")
      .replaceAll(/\.?\[\d+\]/g, "[]");
    fields.fill(path, piece.offset, piece.end);
  }
  return fields;
}
