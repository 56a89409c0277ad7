/** The content of the cells of a row: its decoded value, without secrets unless they are shown. */
import { isMap } from "../bytes/realm.js";
import { UndecryptedBytes } from "../bytes/undecrypted.js";
import { DecodeError, Payload, payloadsIn, TOO_MANY } from "../codec/index.js";
import type { RawRow } from "../engine/engine.js";
import type { AnyKey } from "../keys/index.js";
import {
  type AnyRow,
  findPrivateEntities,
  mayCarryEntities,
  type PrivateEntities,
  redactEntities,
  withoutNumbers,
} from "../schemas/index.js";
import { type Entry, entriesOf, rowsOfKind } from "../store/index.js";
import type { RowContent, SomeContents, TableSource } from "./table.js";

/** Yields the rows of a table from one database. @param reveal whether secrets are shown */
export async function* contentsOf(
  source: TableSource,
  reveal: boolean,
): AsyncGenerator<SomeContents, void, undefined> {
  const { store, row, contents } = source;
  if (contents !== undefined) {
    yield* contents();
    return;
  }
  if (row === undefined) {
    yield* unknownRows(source, reveal);
    return;
  }
  if (!store.raw.columns.includes(row.column)) return;
  const hidden =
    reveal || !mayCarryEntities(row.column) ? undefined : await findPrivateEntities(store.raw, store.schema);
  const { key } = row;
  const entryOf = entriesOf(row);
  for await (const chunk of rowsOfKind(store.raw, key.range({}), {}))
    yield someOf(chunk, (raw) =>
      contentOf(source.name, reveal, hidden, row, entryOf(key.view(raw.key), raw.value)),
    );
}

/** Rows whose key no kind of row has. Their value may be a secret. */
async function* unknownRows(
  { store, name: node }: TableSource,
  reveal: boolean,
): AsyncGenerator<SomeContents, void, undefined> {
  for (const column of store.columns) {
    for await (const chunk of store.raw.scan(column).chunks()) {
      const unknown = chunk.filter(({ key }) => store.schema.identify(column, key) === undefined);
      const some = someOf(unknown, ({ key, value }) => ({
        node,
        size: key.length + value.length,
        key: undefined,
        value: { columnFamily: column, key, value: reveal && isShown(value) ? value : undefined },
        held: undefined,
        error: isShown(value) ? undefined : "no given master key decrypts the value",
      }));
      // The other rows were read too.
      yield { ...some, bytes: bytesOf(chunk) };
    }
  }
}

function isShown(value: Uint8Array): boolean {
  return !(value instanceof UndecryptedBytes);
}

function someOf(rows: readonly RawRow[], read: (row: RawRow) => RowContent): SomeContents {
  function* contents(): Generator<RowContent, void, undefined> {
    for (const row of rows) yield read(row);
  }
  return { rows: rows.length, bytes: bytesOf(rows), contents: contents() };
}

function bytesOf(rows: readonly RawRow[]): number {
  return rows.reduce((sum, { key, value }) => sum + key.length + value.length, 0);
}

/** The contents of the cells of a row. */
function contentOf(
  node: string,
  reveal: boolean,
  entities: PrivateEntities | undefined,
  row: AnyRow,
  { key, bytes, value, error }: Entry<AnyKey, unknown>,
): RowContent {
  const hidden = entities?.in(row.column, key.bytes, bytes);
  const size = key.bytes.length + bytes.length;
  const content = { node, size, key, value: undefined, held: undefined, error: undefined };
  if (error !== undefined)
    return { ...content, error: hidden === undefined ? error.message : withoutNumbers(error.message) };
  const shown = row.shown(key, bytes);
  if (hidden?.whole || (!reveal && row.secret(key) && !shown.secret)) return content;
  const holds = row.alternatives.some(({ signature }) => signature === shown.signature);
  const tooMany = tooManyIn(value);
  if (tooMany !== undefined) return { ...content, error: tooMany };
  let decoded: unknown = value;
  if (holds) decoded = shown.decode(bytes);
  if (hidden !== undefined) {
    const plain = shown.toJson(decoded);
    decoded = without(decoded, redactEntities(plain, plain, hidden.ids));
  }
  return holds
    ? { ...content, held: { as: shown.signature, value: decoded } }
    : { ...content, value: decoded };
}

/**
 * Returns the error of a payload with a list that is too long to decode: its text would need far more memory. Undefined
 * without such a list.
 */
function tooManyIn(value: unknown): string | undefined {
  for (const payload of payloadsIn(value)) {
    if (payload.bytes.length < LONG || payload.value !== undefined) continue;
    try {
      payload.decode();
    } catch (error) {
      if (error instanceof DecodeError && error.cause === TOO_MANY) return error.message;
    }
  }
  return undefined;
}

/** The fewest bytes of a payload that may have a list of too many elements. */
const LONG = 1_000_000;

/** The text of redacted parts in the JSON form. */
const REDACTED = "redacted";

/** Returns the decoded value with null in place of the parts that its JSON form redacts. */
function without(value: unknown, json: unknown): unknown {
  if (json === REDACTED && value !== REDACTED) return null;
  if (value instanceof Payload) return typeof json === "string" ? value : without(value.value, json);
  if (value instanceof Uint8Array || typeof value !== "object" || value === null) return value;
  const parts = json as Readonly<Record<string, unknown>>;
  if (Array.isArray(value)) return value.map((one: unknown, at) => without(one, parts[at]));
  if (isMap(value))
    return new Map([...value].map(([key, one]) => [key as unknown, without(one, parts[key as string])]));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, without(one, parts[name])]));
}
