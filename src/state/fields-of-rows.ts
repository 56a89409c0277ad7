/** The fields of the application's state without a manifest, from the rows below the root. */
import { ID_BYTES, IdTable } from "../bytes/id-table.js";
import { equalBytes } from "../bytes/order.js";
import { collectionId } from "../digests/index.js";
import { Pause } from "../pause.js";
import { negativeName, nestedName, plainName, storedName, typeOfRow } from "./collections/layout.js";
import { collectionOf } from "./collections/live.js";
import { belowRoot, type Scope } from "./collections/scope.js";
import { type StateField, unshown } from "./fields.js";
import type { IndexRow } from "./index-row.js";
import { fieldPath, ROOT_PATH } from "./path.js";
import { problem } from "./problem.js";
import { formed } from "./types/forms.js";
import { handleAt, handleBytes } from "./types/handle-form.js";
import { readValues } from "./types/read-value.js";
import type { CollectionType } from "./types/type.js";
import { unsaidIn } from "./types/unsaid.js";
import { Handle } from "./types/values.js";

/** Collections of the root that are looked at. */
const MOST = 10_000;
/** Bytes between two looks at the clock. */
const MANY = 4096;

interface FoundCollection {
  readonly name: string;
  readonly type: CollectionType;
  /** The bytes of the handle. */
  readonly bytes: Uint8Array;
  /** Offset in the state's bytes; undefined if they are not known. */
  readonly at: number | undefined;
}

/**
 * The fields that rows name. Bytes between them have no name: their offset stands for one.
 *
 * @param data the bytes of the state; undefined if they are not known
 */
export async function fieldsOfRows(
  scope: Scope,
  data: Uint8Array | undefined,
): Promise<readonly StateField[]> {
  const found = await collectionsOfRows(scope, data);
  const fields: StateField[] = [];
  let at = 0;
  for (const one of found.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0))) {
    if (data !== undefined && one.at !== undefined) {
      if (one.at > at) fields.push(await unnamed(scope, data.subarray(at, one.at), at));
      at = one.at + one.bytes.length;
    }
    const path = fieldPath(ROOT_PATH, one.name);
    const value = collectionOf(scope, new Handle(one.type, one.bytes), { path, field: one.name, owners: [] });
    fields.push({ name: one.name, path, value, type: one.type, raw: one.bytes, problem: undefined });
  }
  if (data !== undefined && at < data.length) fields.push(await unnamed(scope, data.subarray(at), at));
  return fields;
}

async function collectionsOfRows(
  scope: Scope,
  data: Uint8Array | undefined,
): Promise<readonly FoundCollection[]> {
  const rows = data === undefined ? await namedRows(scope) : await childrenOfRoot(scope);
  const byName = new Map(rows.map((row) => [row.metadata.fieldName, row]));
  const offsets = await offsetsOf(data, rows);
  const found: FoundCollection[] = [];
  for (const [place, row] of rows.entries()) {
    const { fieldName, crdtType } = row.metadata;
    const at = offsets[place];
    const said = typeOfRow(crdtType, fieldName, scope.types);
    if (fieldName === null || said === undefined || (data !== undefined && at === undefined)) continue;
    const negative = byName.get(negativeName(fieldName));
    if (/^__counter_internal_.*_negative$/s.test(fieldName) || fieldName === nestedName(said)) continue;
    const signed = said.kind === "counter" && (said.signed || (negative !== undefined && negative !== row));
    const type = signed ? formed({ kind: "counter", signed: true }, scope.types.forms) : said;
    const name = plainName(fieldName);
    if (storedName(type, name) !== fieldName) continue;
    const ids = signed ? [row.id, collectionId(negativeName(fieldName))] : [row.id];
    const end = data !== undefined && at !== undefined ? handleAt(type, data, at)?.end : undefined;
    const bytes = end === undefined ? handleBytes(type, ids) : (data?.subarray(at, end) as Uint8Array);
    found.push({ name, type, bytes, at });
  }
  return found;
}

async function childrenOfRoot(scope: Scope): Promise<readonly IndexRow[]> {
  const { ids } = await belowRoot(scope.rows, MOST);
  const rows = await scope.rows.indexes(ids);
  return rows.filter((row) => row !== undefined && row.deletedAt === null) as readonly IndexRow[];
}

/** Every row with a name below the root: the part of an incomplete state that is there. */
async function namedRows(scope: Scope): Promise<readonly IndexRow[]> {
  const named: IndexRow[] = [];
  const pause = new Pause();
  for await (const rows of scope.rows.all()) {
    await pause.ifLong();
    for (const row of rows)
      if (
        named.length < MOST &&
        row.deletedAt === null &&
        row.metadata.fieldName !== null &&
        row.parentId !== null &&
        equalBytes(row.parentId, scope.rows.contextId)
      )
        named.push(row);
  }
  return named;
}

/**
 * The places of the ids of entities in the bytes of the state: offsets in the order of the rows, undefined for an
 * absent id.
 */
async function offsetsOf(
  data: Uint8Array | undefined,
  rows: readonly IndexRow[],
): Promise<readonly (number | undefined)[]> {
  const pause = new Pause();
  const ids = new IdTable();
  const numbers = rows.map(({ id }) => ids.add(id));
  const offsets = new Map<number, number>();
  for (let at = 0; data !== undefined && at + ID_BYTES <= data.length; at++) {
    if (at % MANY === 0) await pause.ifLong();
    const number = ids.find(data, at);
    if (number >= 0 && !offsets.has(number)) offsets.set(number, at);
  }
  return numbers.map((number) => offsets.get(number));
}

/** A part of the state that no row names: a register, if it can only be that. */
async function unnamed(scope: Scope, raw: Uint8Array, at: number): Promise<StateField> {
  const name = `@${at}`;
  const path = fieldPath(ROOT_PATH, name);
  const [reading] = await readValues(unsaidIn(scope.types.forms), [raw], async (ids) =>
    ids.map(() => undefined),
  );
  if (reading?.outcome === "value")
    return {
      name,
      path,
      value: scope.live(reading.value, path, []),
      type: reading.type,
      raw,
      problem: undefined,
    };
  const message = "nothing describes this part of the state";
  return unshown(name, problem("TypeUnknown", path, message, raw));
}
