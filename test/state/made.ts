/** Made-up states in memory: entities written as the storage library of core-0.11 writes them. */
import { concat } from "../../src/bytes/concat.js";
import {
  applicationStateId,
  collectionId,
  entryStateKey,
  indexStateKey,
  mapEntryId,
} from "../../src/digests/index.js";
import { openMemoryEngine } from "../../src/engines/memory/index.js";
import { EntityIndex011 } from "../../src/payloads/index.js";
import { core011 } from "../../src/schemas/index.js";
import { type Manifest, parseManifest } from "../../src/state/index.js";
import { type Store, storeOn } from "../../src/store/index.js";

export const CONTEXT = new Uint8Array(32).fill(0xc0);
const ZEROS = new Uint8Array(32);
const encoder = new TextEncoder();

type Row = readonly [key: Uint8Array, value: Uint8Array];
type Crdt = EntityIndex011["metadata"]["crdtType"];

/** The 84 bytes of a public child. */
export function child(id: Uint8Array): Uint8Array {
  return concat(id, new Uint8Array(52));
}

/** An index row. Its children are written without a codec: there may be many. */
export function indexRow(
  id: Uint8Array,
  children: readonly Uint8Array[],
  fieldName: string | null = null,
  crdtType: Crdt = null,
): Row {
  const rest = EntityIndex011.encode({
    id,
    parentId: CONTEXT,
    children: null,
    fullHash: ZEROS,
    ownHash: ZEROS,
    metadata: {
      createdAt: 1n,
      updatedAt: 2n,
      storageType: { kind: "Public" },
      crdtType,
      fieldName,
      schemaVersion: null,
    },
    deletedAt: null,
    deletedChildren: [],
  });
  const count = new Uint8Array(4);
  new DataView(count.buffer).setUint32(0, children.length, true);
  const list = new Uint8Array(84 * children.length);
  for (const [at, one] of children.entries()) list.set(child(one), 84 * at);
  return [
    concat(CONTEXT, indexStateKey(id)),
    concat(rest.subarray(0, 65), Uint8Array.of(1), count, list, rest.subarray(66)),
  ];
}

/** An entry row. */
export function entryRow(id: Uint8Array, data: Uint8Array): Row {
  return [concat(CONTEXT, entryStateKey(id)), concat(data, id)];
}

/** A text with its length. */
export function text(value: string): Uint8Array {
  const bytes = encoder.encode(value);
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, bytes.length, true);
  return concat(length, bytes);
}

/** A map with a field's name, or a name and an id of its own. */
export function mapRows(
  entries: readonly (readonly [key: string, value: Uint8Array])[],
  field: string,
  id: Uint8Array = collectionId(field),
  name: string | null = field,
): readonly Row[] {
  const ids = entries.map(([key]) => mapEntryId(id, encoder.encode(key)));
  return [
    indexRow(id, ids, name),
    entryRow(id, new Uint8Array(0)),
    ...entries.flatMap(([key, value], at) => {
      const entry = ids[at] as Uint8Array;
      return [indexRow(entry, []), entryRow(entry, concat(text(key), value))];
    }),
  ];
}

/** A store with these rows, and the bytes of the application's state. */
export function storeOf(state: Uint8Array, rows: readonly Row[]): Promise<Store> {
  return storeWith([
    ...rows,
    entryRow(applicationStateId(), state),
    indexRow(applicationStateId(), [], "root"),
  ]);
}

/** A store with these rows alone. */
export async function storeWith(all: readonly Row[]): Promise<Store> {
  const engine = openMemoryEngine({ columns: core011.columns });
  await engine.write(all.map(([key, value]) => ({ type: "put", column: "State", key, value })));
  return storeOn(engine, { schema: core011 });
}

/** A manifest with these types; the state's is `State`. */
export function manifestWith(types: object): Manifest {
  return parseManifest({ schema_version: "wasm-abi/1", types, methods: [], events: [], state_root: "State" });
}

/** A field in a manifest. */
export const field = (name: string, type: object): object => ({ name, type });
/** A map in a manifest. */
export const mapOf = (value: object): object => ({
  kind: "map",
  key: { kind: "string" },
  value,
  crdt_type: "unordered_map",
});
