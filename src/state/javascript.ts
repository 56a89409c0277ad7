/**
 * The state of an application in JavaScript. Its SDK keeps each collection and register in an entity of its own below
 * the root, a wrapper: the handle or the register, then the entity's id. Keys and values are byte strings that the SDK
 * encodes itself. A manifest does not describe them.
 */
import { toHex } from "../bytes/hex.js";
import { equalBytes } from "../bytes/order.js";
import { some } from "../collections/lists.js";
import { applicationStateId } from "../digests/index.js";
import { BYTE_STRING, findKey } from "./collections/entry-key.js";
import { typeOfRow } from "./collections/layout.js";
import { collectionOf } from "./collections/live.js";
import { belowRoot, type Scope } from "./collections/scope.js";
import { type StateField, unshown } from "./fields.js";
import type { IndexRow } from "./index-row.js";
import { Damage } from "./layouts/layout.js";
import { fieldPath, ROOT_PATH } from "./path.js";
import { problem } from "./problem.js";
import { registerOf } from "./types/forms.js";
import { handleAt } from "./types/handle-form.js";
import { readValues } from "./types/read-value.js";
import type { CollectionType, Type } from "./types/type.js";
import { Handle } from "./types/values.js";

/** Children of the root that are looked at. */
const MOST = 10_000;
/** Children of the root that are searched for a wrapper. */
const FEW = 64;
/** The most entries that are tried if the row of their collection states no type. */
const MOST_TRIED = 16;

const BYTES: Type = { kind: "bytes", size: undefined };

/** A wrapper: an entity below the root that has data. */
interface Wrapper {
  readonly row: IndexRow;
  readonly data: Uint8Array;
}

/**
 * Reads the fields of a JavaScript application's state; undefined if the state belongs to any other application.
 *
 * @param stored the entry of the root; undefined without an entry
 */
export async function fieldsOfJavaScript(
  scope: Scope,
  stored: Uint8Array | undefined,
): Promise<readonly StateField[] | undefined> {
  const hasId = stored !== undefined && equalBytes(stored.subarray(-32), applicationStateId());
  const isSure = await isMarked(scope);
  // In other applications the root ends with its id and no child is a wrapper, so a few children decide.
  if (hasId && !isSure && (await wrappersOf(scope, FEW)).length === 0) return undefined;
  const wrappers = await wrappersOf(scope, MOST);
  if (wrappers.length === 0 && !isSure) return undefined;
  const fields: StateField[] = [];
  if (stored !== undefined) fields.push(document(hasId ? stored.subarray(0, -32) : stored));
  for (const wrapper of wrappers) fields.push(await fieldOf(scope, wrapper));
  return fields;
}

/** The document that the SDK keeps in the root: it has no name, and its bytes are the SDK's own. */
function document(raw: Uint8Array): StateField {
  const path = fieldPath(ROOT_PATH, "@0");
  return { name: "@0", path, value: raw, type: { kind: "bytes", size: raw.length }, raw, problem: undefined };
}

/** Returns true if the row of the root marks the application as one in JavaScript. */
async function isMarked(scope: Scope): Promise<boolean> {
  const row = await scope.rows.index(applicationStateId());
  const crdtType = row?.metadata.crdtType;
  return (
    crdtType?.kind === "LwwRegister" &&
    ("content" in crdtType ? crdtType.content : crdtType.innerType) === "JsRoot"
  );
}

/**
 * The entities below the root that have data. In the state of a Rust application, these are collections, which have no
 * data.
 */
async function wrappersOf({ rows }: Scope, most: number): Promise<readonly Wrapper[]> {
  const { parent, ids } = await belowRoot(rows, most);
  if (ids.length === 0) return [];
  const [found, data] = [await rows.indexes(ids), await rows.data(parent, ids)];
  return ids.flatMap((id, at) => {
    const [row, bytes] = [found[at], data[at]];
    if (row === undefined || row.deletedAt !== null || !(bytes instanceof Uint8Array)) return [];
    const isWrapper = bytes.length > 32 && equalBytes(bytes.subarray(-32), id);
    return isWrapper ? [{ row, data: bytes.subarray(0, -32) }] : [];
  });
}

async function fieldOf(scope: Scope, { row, data }: Wrapper): Promise<StateField> {
  const name = row.metadata.fieldName ?? `#${toHex(row.id)}`;
  const path = fieldPath(ROOT_PATH, name);
  const entity = row.id;
  const [live, second] = await scope.rows.indexes([data.subarray(0, 32), data.subarray(32, 64)]);
  if (live === undefined || live.deletedAt !== null) {
    const register = registerOf({ kind: "option", of: BYTES }, scope.types.forms);
    const [reading] = await readValues(register, [data], async (ids) => ids.map(() => undefined));
    if (reading?.outcome === "value")
      return { name, path, value: reading.value, type: reading.type, raw: data, problem: undefined, entity };
    const message = "the wrapper holds neither a collection that exists nor a register";
    return { ...unshown(name, problem("ValueDecode", path, message, data)), entity };
  }
  const type = await typeOf(scope, live, second !== undefined && second.deletedAt === null, data.length);
  if (type === undefined || handleAt(type, data, 0)?.end !== data.length) {
    const message = "neither the row nor the entries say what kind of collection it is";
    return { ...unshown(name, problem("TypeUnknown", path, message, data)), entity };
  }
  const value = collectionOf(scope, new Handle(type, data), { path, field: undefined, owners: [] });
  return { name, path, value, type, raw: data, problem: undefined, entity };
}

/** The type of a wrapped collection: its row states it, or its entries prove it. */
async function typeOf(
  scope: Scope,
  row: IndexRow,
  isPair: boolean,
  size: number,
): Promise<CollectionType | undefined> {
  if (size === 64 && isPair) return { kind: "counter", signed: true };
  const { crdtType, fieldName } = row.metadata;
  const said = typeOfRow(crdtType, fieldName, scope.types);
  if (said !== undefined) return ofByteStrings(said);
  return size === 32 ? typeOfEntries(scope, row) : undefined;
}

/** A collection with the byte strings of the SDK; undefined for values in a form that is not known. */
function ofByteStrings(type: CollectionType): CollectionType | undefined {
  switch (type.kind) {
    case "map":
      return { ...type, key: BYTE_STRING, value: BYTES };
    case "set":
      return { ...type, item: BYTE_STRING };
    case "vector":
      return { ...type, item: BYTES };
    case "user":
    case "frozen":
      return { ...type, value: BYTES };
    case "shared":
      return undefined;
    default:
      return type;
  }
}

/** The kinds that have no second id. The id of an entry proves its key, and so the kind of the collection. */
const KINDS: readonly (readonly [
  type: CollectionType,
  fits: (collection: Uint8Array, id: Uint8Array, data: Uint8Array) => boolean,
])[] = [
  [
    { kind: "map", sorted: false, authored: false, key: BYTE_STRING, value: BYTES },
    (collection, id, data) => {
      const found = findKey(collection, id, data, BYTES);
      return found !== undefined && isByteString(data.subarray(found.end));
    },
  ],
  [
    { kind: "set", sorted: false, item: BYTE_STRING },
    (collection, id, data) => findKey(collection, id, data, BYTES, true) !== undefined,
  ],
  [
    { kind: "counter", signed: false },
    (collection, id, data) => {
      const found = findKey(collection, id, data, BYTES);
      return found !== undefined && found.content.length === 64 && data.length - found.end === 8;
    },
  ],
  [
    { kind: "vector", authored: false, item: BYTES },
    (collection, id, data) => isByteString(data) && findKey(collection, id, data, BYTES) === undefined,
  ],
];

async function typeOfEntries(scope: Scope, row: IndexRow): Promise<CollectionType | undefined> {
  const children = await scope.rows.children(row);
  if (children instanceof Damage) return undefined;
  const ids = some(children.ids(), MOST_TRIED);
  const entries = (await scope.rows.data({ row, children }, ids)).flatMap((data, at) => {
    const id = ids[at] as Uint8Array;
    const isWhole = data instanceof Uint8Array && equalBytes(data.subarray(-32), id);
    return isWhole ? [[id, data.subarray(0, -32)] as const] : [];
  });
  const fitting = KINDS.filter(([, fits]) => entries.every(([id, data]) => fits(row.id, id, data)));
  return entries.length > 0 && fitting.length === 1 ? fitting[0]?.[0] : undefined;
}

/** Returns true if bytes are a length and as many bytes. */
function isByteString(data: Uint8Array): boolean {
  if (data.length < 4) return false;
  return new DataView(data.buffer, data.byteOffset, 4).getUint32(0, true) === data.length - 4;
}
