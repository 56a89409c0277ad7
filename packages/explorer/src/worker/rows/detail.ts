/** One row: its fields beside its bytes. */
import { type Explanation, explainRow, fromHex, type Schema } from "merostore";
import { partsToJson } from "merostore/internal";
import type { Database } from "../database/database.js";
import { isId, jsonText } from "../database/text.js";
import { type Cell, type ShownRow, shownRows } from "./cells.js";
import { columnOf } from "./choice.js";

/** A field of a key or a value. */
export interface DetailField {
  readonly offset: number;
  readonly end: number;
  readonly depth: number;
  readonly name: string;
  readonly type: string;
  /** The shown text; undefined for a field with inner fields, and for a hidden secret. */
  readonly text: string | undefined;
  /** The id in hex, if the field is one. */
  readonly id: string | undefined;
  /** The thing that the id stands for. */
  readonly thing: Cell["thing"];
  readonly isSecret: boolean;
}

/** The fields and bytes of a key or a value. */
export interface DetailPart {
  readonly title: string;
  readonly fields: readonly DetailField[];
  /** The number of all fields. */
  readonly fieldCount: number;
  /** The first bytes. Bytes of hidden secrets are zeros. */
  readonly bytes: Uint8Array;
  /** All bytes. */
  readonly size: number;
  /** Ranges of bytes that are hidden. */
  readonly hidden: readonly (readonly [from: number, to: number])[];
  /** The place where decoding stopped, and the reason. */
  readonly stopped: { readonly offset: number; readonly reason: string } | undefined;
  /** False if the node would write other bytes for the value. */
  readonly isCanonical: boolean;
}

/** A row. */
export interface RowDetail {
  readonly kind: string | undefined;
  readonly column: string;
  /** The key in hex. */
  readonly key: string;
  /** The parts of the key, as a grid has them. */
  readonly keyCells: readonly Cell[];
  /** The words, after the database, of the command that prints the row. */
  readonly words: readonly string[];
  /** The key and the value. */
  readonly parts: readonly DetailPart[];
  /** The JSON form, on lines. */
  readonly json: string;
}

/** The most bytes of a value that are shown: more would fill pages that nobody reads. */
const MOST_BYTES = 16_384;
/** The most fields that are shown. */
const MOST_FIELDS = 2_000;
/** The most characters of the JSON form. */
const MOST_JSON = 200_000;

/** A row of a kind; undefined without a row of this key, or without a key. */
export async function rowDetail(
  database: Database,
  kind: string,
  keyHex: string | undefined,
  revealSecrets: boolean,
): Promise<RowDetail | undefined> {
  if (keyHex === undefined) return undefined;
  const { schema, raw } = database.store;
  const column = columnOf(database, kind);
  const key = fromHex(keyHex);
  const value = raw.columns.includes(column) ? await raw.get(column, key) : undefined;
  if (value === undefined) return undefined;
  const row = { key, value };
  const privateEntities = await database.privateEntities();
  const [shown] = await shownRows(database, column, [row], revealSecrets);
  const { form, cells } = shown as ShownRow;
  // A value that is private as a whole is hidden whole; so is a value that does not decode, because it may contain any
  // secret.
  const isPrivate =
    privateEntities.in(column, key, value) !== undefined || form.error !== undefined || form.kind === null;
  const isHidden = !revealSecrets && form.value === undefined && isPrivate;
  const explained = schema.columns.includes(column) ? explainRow(schema, column, key, value) : [];
  const [ofKey = unexplained("Key", key), ofValue = unexplained("Value", value)] = explained;
  const known: Schema["rows"][number] | undefined = (schema as Schema).identify(column, key);
  const parts = known && partsToJson(known.key, known.key.fromBytes(key));
  const names = Object.keys(parts ?? {});
  const named = await database.node.names();
  return {
    kind: form.kind ?? undefined,
    column,
    key: form.key,
    keyCells: names.flatMap((name) => cells[name] ?? []),
    words:
      form.kind === null
        ? ["--column", column, "--key", form.key]
        : [form.kind, ...names.map((name) => `${name}=${parts?.[name]}`)],
    parts: [detailOf(ofKey, named, revealSecrets, false), detailOf(ofValue, named, revealSecrets, isHidden)],
    json: JSON.stringify(form, undefined, 2).slice(0, MOST_JSON),
  };
}

/** Explains bytes of no known kind. */
function unexplained(title: string, bytes: Uint8Array): Explanation {
  return { title: `${title}: of no known kind`, bytes, pieces: [] };
}

function detailOf(
  explanation: Explanation,
  names: Awaited<ReturnType<Database["node"]["names"]>>,
  revealSecrets: boolean,
  isHidden: boolean,
): DetailPart {
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
    fieldCount: pieces.length,
    fields: pieces.slice(0, MOST_FIELDS).map(({ offset, end, depth, name, type, value, secret }) => {
      const isSecret = hides(secret);
      const text = value === undefined || isSecret ? undefined : jsonText(value);
      const id = isId(text) ? text : undefined;
      const { kind, name: called } = (id === undefined ? undefined : names.of(id)) ?? {};
      const thing = kind === undefined ? undefined : { kind, name: called };
      return { offset, end, depth, name, type, text, id, thing, isSecret };
    }),
  };
}
