/**
 * The layouts up to core-0.11: an entity has an index row, which lists its children, and a row with its data. Keys are
 * hashes.
 */
import { toHex } from "../../bytes/hex.js";
import { equalBytes } from "../../bytes/order.js";
import { b32, bool, type Codec, option, Reader, ReadFailure, u64, vec } from "../../codec/index.js";
import { entryStateKey, indexStateKey } from "../../digests/index.js";
import type { RawRow } from "../../engine/engine.js";
import { EntityIndex010, EntityIndex011, Metadata010, Metadata011 } from "../../payloads/index.js";
import type { Schema } from "../../schemas/index.js";
import { ordered010, ordered011 } from "../collections/character-order.js";
import type { EntityMetadata, IndexRow } from "../index-row.js";
import { PLAIN_FORMS } from "../types/forms.js";
import { ChildList } from "./child-list.js";
import {
  type Entities,
  type EntityData,
  type Parent,
  type ReplayedChild,
  type RowSource,
  type StateLayout,
  stateRowOf,
} from "./layout.js";

/** An index row with its children. */
interface ListingRow extends IndexRow {
  readonly children: ChildList;
}

const parent = option(b32);
const time = option(u64);
const ids = vec(b32);

/** Decodes an index row; undefined for any other bytes. `isOld` is whether rows have the layout of core-0.10. */
function decodeIndexRow(bytes: Uint8Array, isOld: boolean): ListingRow | undefined {
  const reader = new Reader(bytes);
  try {
    const id = b32.read(reader);
    const parentId = parent.read(reader);
    const children = bool.read(reader) ? ChildList.read(reader, isOld) : ChildList.none;
    const fullHash = b32.read(reader);
    const ownHash = b32.read(reader);
    const metadata = (isOld ? Metadata010 : Metadata011).read(reader);
    const deletedAt = time.read(reader);
    const deletedChildren = isOld ? [] : ids.read(reader);
    if (reader.left > 0) return undefined;
    return { id, parentId, children, fullHash, ownHash, metadata, deletedAt, deletedChildren };
  } catch (error) {
    if (error instanceof ReadFailure) return undefined;
    throw error;
  }
}

function encodeIndexRow(row: IndexRow, children: readonly ReplayedChild[], isOld: boolean): Uint8Array {
  const list = children.map(({ id, fullHash, metadata }) => ({ id, merkleHash: fullHash, metadata }));
  const index = { ...row, children: list.length === 0 ? null : list };
  // The metadata has the form of the layout, because the row or its delta was read in it.
  if (!isOld) return EntityIndex011.encode(index as EntityIndex011);
  const { deletedChildren: _, ...old } = index;
  return EntityIndex010.encode(old as EntityIndex010);
}

/** Bytes of an index row that is not read twice: a collection may have a million children, 84 bytes each. */
const LARGE = 65_536;
const MOST_KEPT = 8;

class TwoRowEntities implements Entities {
  readonly #rows: RowSource;
  readonly #isOld: boolean;
  /** Large rows that a test of handles has read, for the collections that are opened next. Each is used once. */
  readonly #kept = new Map<string, ListingRow>();

  constructor(rows: RowSource, isOld: boolean) {
    this.#rows = rows;
    this.#isOld = isOld;
  }

  async indexes(of: readonly Uint8Array[]): Promise<readonly (ListingRow | undefined)[]> {
    const [only] = of;
    if (of.length === 1 && only !== undefined) {
      const hex = toHex(only);
      const kept = this.#kept.get(hex);
      if (kept !== undefined) {
        this.#kept.delete(hex);
        return [kept];
      }
    }
    const found = await this.#rows.values(of.map(indexStateKey));
    return found.map((value, at) => {
      const row = value && decodeIndexRow(value, this.#isOld);
      if (row === undefined || !equalBytes(row.id, of[at] as Uint8Array)) return undefined;
      if (value !== undefined && value.length >= LARGE && this.#kept.size < MOST_KEPT)
        this.#kept.set(toHex(row.id), row);
      return row;
    });
  }

  data(_parent: Parent, of: readonly Uint8Array[]): Promise<readonly EntityData[]> {
    return this.stored(of);
  }

  stored(of: readonly Uint8Array[]): Promise<readonly (Uint8Array | undefined)[]> {
    return this.#rows.values(of.map(entryStateKey));
  }

  async children(of: IndexRow): Promise<ChildList> {
    return (of as ListingRow).children;
  }

  async contradiction(): Promise<undefined> {
    return undefined;
  }

  async isUnwritten(): Promise<boolean> {
    return false;
  }

  indexIn({ key, value }: RawRow): IndexRow | undefined {
    if (value.length < 32 || key.length !== 64) return undefined;
    if (!equalBytes(indexStateKey(value.subarray(0, 32)), key.subarray(32))) return undefined;
    return decodeIndexRow(value, this.#isOld);
  }

  entityIn({ value }: RawRow): Uint8Array | undefined {
    return value.length < 32 ? undefined : value.subarray(-32);
  }

  dataIn({ key, value }: RawRow, id: Uint8Array): EntityData {
    return equalBytes(entryStateKey(id), key.subarray(32)) ? value : undefined;
  }
}

/** @param isOld whether rows have the layout of core-0.10 */
function twoRows(isOld: boolean): StateLayout {
  return {
    isOf(schema: Schema): boolean {
      const row = stateRowOf(schema);
      if (row?.key.SIZE !== 64 || row.alternative === undefined) return false;
      return row.alternative.layout.includes("deletedChildren") !== isOld;
    },
    replay: {
      childOrder: isOld ? "creation" : "id",
      // Metadata of a delta has the layout of the database.
      metadata: (isOld ? Metadata010 : Metadata011) as Codec<EntityMetadata>,
      holds: () => true,
      rules: { logsWriters: true, revives: true, mergesEntries: false },
      rowsOf: (row, data, children) => [
        { stateKey: indexStateKey(row.id), value: encodeIndexRow(row, children, isOld) },
        ...(data === undefined ? [] : [{ stateKey: entryStateKey(row.id), value: data }]),
      ],
    },
    forms: PLAIN_FORMS,
    textOrder: isOld ? ordered010 : ordered011,
    isTextOrderFixed: !isOld,
    privateKey: (key) => key,
    keysOf: (id) => [
      { what: "index", stateKey: indexStateKey(id) },
      { what: "entry", stateKey: entryStateKey(id) },
    ],
    entitiesOf: (rows) => new TwoRowEntities(rows, isOld),
  };
}

/** State of core-0.11. */
export const listed011 = twoRows(false);

/** State of core-0.10. */
export const listed010 = twoRows(true);
