/** One row: its fields beside its bytes. */
import { fromHex, rowToJson } from "merostore";
import { type Explanation, explainRow, readableForm } from "merostore/schemas";
import type { Database } from "./database.js";

/** A field of a key or a value. */
export interface DetailField {
  readonly offset: number;
  readonly end: number;
  readonly depth: number;
  readonly name: string;
  readonly type: string;
  /** What is shown; undefined for a field that has fields, and for a secret that is not shown. */
  readonly text: string | undefined;
  /** The id in hex, where the field is one. */
  readonly id: string | undefined;
  readonly isSecret: boolean;
}

/** The fields and bytes of a key or a value. */
export interface DetailPart {
  readonly title: string;
  readonly fields: readonly DetailField[];
  /** The first bytes, those of hidden secrets as zeros. */
  readonly bytes: Uint8Array;
  /** All bytes. */
  readonly size: number;
  /** Ranges of bytes that are hidden. */
  readonly hidden: readonly (readonly [from: number, to: number])[];
  /** Where and why decoding stopped. */
  readonly stopped: { readonly offset: number; readonly reason: string } | undefined;
  /** False where the node would write other bytes for the value. */
  readonly isCanonical: boolean;
}

/** A row. */
export interface RowDetail {
  readonly kind: string | undefined;
  readonly column: string;
  readonly parts: readonly DetailPart[];
  /** The JSON form, on lines. */
  readonly json: string;
}

/** Bytes of a value that are shown: more fills pages that nobody reads. */
const MOST_BYTES = 16_384;
/** Fields that are shown. */
const MOST_FIELDS = 2_000;
/** Characters of the JSON form. */
const MOST_JSON = 200_000;

/** A row of a column family; null if there is none with this key. */
export async function rowDetail(
  database: Database,
  column: string,
  keyHex: string,
  revealSecrets: boolean,
): Promise<RowDetail | null> {
  const { schema, raw } = database.store;
  const key = fromHex(keyHex);
  const value = await raw.get(column, key);
  if (value === undefined) return null;
  const privateEntities = await database.privateEntities();
  const options = { revealSecrets, privateEntities, readable: readableForm(true) };
  const form = rowToJson(schema, column, { key, value }, options);
  // A value that is private as a whole, or does not decode and may hold any secret, is hidden whole.
  const isPrivate = privateEntities.in(column, key, value) !== undefined || form.error !== undefined;
  const isHidden = !revealSecrets && form.value === undefined && isPrivate;
  const explained = schema.columns.includes(column) ? explainRow(schema, column, key, value) : [];
  return {
    kind: form.kind ?? undefined,
    column,
    parts: explained.map((part, at) => detailOf(part, revealSecrets, at > 0 && isHidden)),
    json: JSON.stringify(form, undefined, 2).slice(0, MOST_JSON),
  };
}

function detailOf(explanation: Explanation, revealSecrets: boolean, isHidden: boolean): DetailPart {
  const { title, bytes, pieces, stopped, canonical } = explanation;
  const hides = (secret: boolean): boolean => isHidden || (secret && !revealSecrets);
  const hidden = isHidden
    ? [[0, bytes.length] as const]
    : pieces.filter(({ secret }) => hides(secret)).map(({ offset, own }) => [offset, own] as const);
  const shown = Uint8Array.from(bytes.subarray(0, MOST_BYTES));
  for (const [from, to] of hidden) shown.fill(0, from, to);
  return {
    title,
    size: bytes.length,
    bytes: shown,
    hidden,
    stopped,
    isCanonical: canonical !== false,
    fields: pieces.slice(0, MOST_FIELDS).map(({ offset, end, depth, name, type, value, secret }) => {
      const isSecret = hides(secret);
      const text = value === undefined || isSecret ? undefined : textOf(value);
      return {
        offset,
        end,
        depth,
        name,
        type,
        text,
        id: text !== undefined && /^[0-9a-f]{64}$/.test(text) ? text : undefined,
        isSecret,
      };
    }),
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
