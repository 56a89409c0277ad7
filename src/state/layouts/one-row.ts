/**
 * The layout since core-1.0: an entity has one row, and its children are in a trie of rows of their own. The tree proves
 * data: the row above has a hash of it.
 */
import { copyBytes } from "../../bytes/bytes.js";
import { concat } from "../../bytes/concat.js";
import { ID_BYTES } from "../../bytes/id-table.js";
import { compareBigints, equalBytes } from "../../bytes/order.js";
import { type Codec, ReadFailure } from "../../codec/index.js";
import { sorted } from "../../collections/sort.js";
import { childTrie, fullHash, ownHash } from "../../digests/index.js";
import type { RawRow } from "../../engine/engine.js";
import {
  childTrieKey,
  type EntityIndex,
  type EntityRow,
  entityKey,
  entityRow,
  readEntityRow,
} from "../../layouts/index.js";
import { Pause } from "../../pause.js";
import { Metadata } from "../../payloads/index.js";
import type { Schema } from "../../schemas/index.js";
import { ordered011 } from "../collections/character-order.js";
import type { EntityMetadata, IndexRow } from "../index-row.js";
import { TAGGED_FORMS } from "../types/forms.js";
import {
  type Children,
  Damage,
  type Entities,
  type EntityData,
  type Parent,
  type ReplayedChild,
  type RowSource,
  type StateLayout,
  type StateRowOf,
  stateRowOf,
} from "./layout.js";
import { type TrieEntries, Tries } from "./trie.js";

/** The own hash of an entity that was deleted. */
const NO_DATA = new Uint8Array(ID_BYTES);

const PRIVATE = Uint8Array.of(0xff);

/** Bytes of a key: the context's id, the tag and the entity's id. */
const KEY = 65;
/** Rows that are read at a time. */
const PAGE = 256;

function decode(value: Uint8Array | undefined, id: Uint8Array): EntityRow | undefined {
  const row = value && readEntityRow(id, value);
  return row instanceof ReadFailure ? undefined : row;
}

/** The children that a trie has. */
class TrieChildren implements Children {
  readonly #entries: TrieEntries;
  readonly #entities: OneRowEntities;
  #inOrder: Promise<Iterable<Uint8Array> | Damage> | undefined;

  constructor(entries: TrieEntries, entities: OneRowEntities) {
    this.#entries = entries;
    this.#entities = entities;
  }

  get size(): number {
    return this.#entries.ids.size;
  }

  *ids(): Generator<Uint8Array, void, undefined> {
    for (let at = 0; at < this.size; at++) yield copyBytes(at32(this.#entries.ids.bytes, at));
  }

  inOrder(): Promise<Iterable<Uint8Array> | Damage> {
    this.#inOrder ??= this.#sort();
    return this.#inOrder;
  }

  /** The hash of a child; undefined for another entity. */
  hashOf(id: Uint8Array): Uint8Array | undefined {
    const at = this.#entries.ids.find(id);
    return at < 0 ? undefined : at32(this.#entries.hashes, at);
  }

  /** The order of children is in their own rows: when they were made, then their order, then their ids. */
  async #sort(): Promise<Iterable<Uint8Array> | Damage> {
    const pause = new Pause();
    const { size } = this;
    const { bytes } = this.#entries.ids;
    const made = new BigUint64Array(size);
    const order = new BigUint64Array(size);
    const places: number[] = [];
    while (places.length < size) {
      const ids = Array.from({ length: Math.min(PAGE, size - places.length) }, (_, more) =>
        at32(bytes, places.length + more),
      );
      for (const row of await this.#entities.indexes(ids)) {
        const hash = row && this.hashOf(row.id);
        if (row === undefined || hash === undefined || !equalBytes(row.fullHash, hash))
          return new Damage("the row of a child, which says where it is among them, is not there or another");
        made[places.length] = row.metadata.createdAt;
        order[places.length] = row.metadata.order;
        places.push(places.length);
      }
      await pause.ifLong();
    }
    const at = (list: BigUint64Array, place: number): bigint => list[place] as bigint;
    // The ids are in their order before.
    const inOrder = await sorted(
      places,
      (a, b) => compareBigints(at(made, a), at(made, b)) || compareBigints(at(order, a), at(order, b)),
    );
    return {
      *[Symbol.iterator]() {
        for (const place of inOrder) yield copyBytes(at32(bytes, place));
      },
    };
  }
}

const at32 = (bytes: Uint8Array, at: number): Uint8Array =>
  bytes.subarray(at * ID_BYTES, (at + 1) * ID_BYTES);

class OneRowEntities implements Entities {
  readonly #rows: RowSource;
  readonly #tries: Tries;
  #root: Promise<EntityIndex | undefined> | undefined;

  constructor(rows: RowSource) {
    this.#rows = rows;
    this.#tries = new Tries(rows);
  }

  async indexes(ids: readonly Uint8Array[]): Promise<readonly (EntityIndex | undefined)[]> {
    const values = await this.#rows.values(ids.map(entityKey));
    return ids.map((id, at) => decode(values[at], id)?.index ?? undefined);
  }

  async data({ row, children }: Parent, ids: readonly Uint8Array[]): Promise<readonly EntityData[]> {
    const values = await this.#rows.values(ids.map(entityKey));
    if (row === undefined)
      return values.map((value) => value && new Damage("the entity above it is not there", value));
    const hashes =
      children instanceof TrieChildren
        ? ids.map((id) => children.hashOf(id))
        : await this.#tries.hashesOf(row, ids);
    return Promise.all(ids.map((id, at) => this.#proven(id, values[at], row, hashes[at])));
  }

  async stored(ids: readonly Uint8Array[]): Promise<readonly (Uint8Array | undefined)[]> {
    const values = await this.#rows.values(ids.map(entityKey));
    return ids.map((id, at) => decode(values[at], id)?.data ?? undefined);
  }

  async children(of: IndexRow): Promise<Children | Damage> {
    const found = await this.#tries.entriesOf(of);
    return found instanceof Damage ? found : new TrieChildren(found, this);
  }

  async contradiction({ id, parentId, fullHash: full }: IndexRow): Promise<string | undefined> {
    if (equalBytes(id, this.#rows.contextId)) return undefined;
    const parent = parentId === null ? undefined : await this.#parentOf(parentId);
    if (parent === undefined) return "the entity above it is not there";
    const [hash] = await this.#tries.hashesOf(parent, [id]);
    if (hash === undefined) return "the entity above it does not have it among its children";
    if (hash instanceof Damage) return `of the entity above it, ${hash.message}`;
    return equalBytes(hash, full) ? undefined : "its hash is not the one that the entity above it has";
  }

  async isUnwritten(id: Uint8Array): Promise<boolean> {
    const [value] = await this.#rows.values([entityKey(id)]);
    const root = await this.#parentOf(this.#rows.contextId);
    if (value !== undefined || root === undefined) return false;
    const [hash] = await this.#tries.hashesOf(root, [id]);
    return hash === undefined;
  }

  indexIn(row: RawRow): IndexRow | undefined {
    const id = this.entityIn(row);
    return (id && decode(row.value, id)?.index) ?? undefined;
  }

  entityIn({ key }: RawRow): Uint8Array | undefined {
    return key.length === KEY && key[ID_BYTES] === 0 ? key.subarray(ID_BYTES + 1) : undefined;
  }

  dataIn({ value }: RawRow, id: Uint8Array, { row, children }: Parent): EntityData {
    if (row === undefined || !(children instanceof TrieChildren)) return undefined;
    return dataOf(id, value, row, children.hashOf(id)).data;
  }

  /** The index record of the entity above others: nearly always the root's. */
  #parentOf(id: Uint8Array): Promise<EntityIndex | undefined> {
    const read = async () => (await this.indexes([id]))[0];
    if (!equalBytes(id, this.#rows.contextId)) return read();
    this.#root ??= read();
    return this.#root;
  }

  async #proven(
    id: Uint8Array,
    value: Uint8Array | undefined,
    parent: IndexRow,
    hash: Uint8Array | Damage | undefined,
  ): Promise<EntityData> {
    if (value === undefined) return hash === undefined ? undefined : NO_ROW;
    if (hash instanceof Damage) return new Damage(`of the entity above it, ${hash.message}`, value);
    const { data, holder } = dataOf(id, value, parent, hash);
    if (holder === undefined) return data;
    const [found] = await this.#tries.hashesOf(holder, [id]);
    return found instanceof Damage ? new Damage(found.message, value) : data;
  }
}

const NO_ROW = new Damage("the entity above it has it among its children, but it has no row");

/**
 * The data of a row, if the hash in the entity above proves it.
 *
 * @returns the data; `holder` is the entity if it has children, and its hash is still to be proven
 */
function dataOf(
  id: Uint8Array,
  value: Uint8Array,
  parent: IndexRow,
  hash: Uint8Array | undefined,
): { readonly data: EntityData; readonly holder?: EntityIndex | undefined } {
  const damaged = (message: string) => ({ data: new Damage(message, value) });
  const row = decode(value, id);
  const index = row?.index;
  if (row === undefined || index === null || index === undefined)
    return damaged("its row is not one that nodes write");
  if (index.deletedAt !== null && hash === undefined) return { data: undefined };
  if (hash === undefined) return damaged("the entity above it does not have it among its children");
  if (index.deletedAt !== null)
    return damaged("it was deleted, but the entity above it has it among its children");
  if (index.parentId === null || !equalBytes(index.parentId, parent.id))
    return damaged("it says that another entity is above it");
  const { data } = row;
  if (data !== null && !equalBytes(ownHash(data), index.ownHash))
    return damaged("its data does not have the hash that its row has");
  if (!equalBytes(index.fullHash, hash))
    return damaged("its hash is not the one that the entity above it has");
  const isLeaf = equalBytes(index.fullHash, fullHash(index.ownHash));
  return { data: data ?? undefined, holder: isLeaf ? undefined : index };
}

/** The rows of an entity of a replay, with the rows of the trie of its children. */
function replayedRows(
  row: IndexRow,
  data: Uint8Array | undefined,
  children: readonly ReplayedChild[],
): readonly StateRowOf[] {
  if (row.deletedAt !== null) {
    const index = {
      ...row,
      ownHash: NO_DATA,
      fullHash: fullHash(NO_DATA),
      metadata: row.metadata as Metadata,
    };
    const tombstone = entityRow(row.id).encode({ index, verbatim: null, data: null });
    return [{ stateKey: entityKey(row.id), value: Uint8Array.from(tombstone) }];
  }
  const orders = children.map(({ metadata }) => (metadata as Metadata).order);
  const nextOrder = orders.reduce((a, b) => (a > b ? a : b), 0n) + 1n;
  const index = { ...row, metadata: row.metadata as Metadata };
  const value = entityRow(row.id).encode({ index, verbatim: null, data: data ?? null });
  const listed = children.map(({ id, fullHash: hash }) => ({ id, fullHash: hash }));
  const tries = children.length === 0 ? [] : childTrie(row.id, listed, nextOrder).rows;
  return [
    { stateKey: entityKey(row.id), value: Uint8Array.from(value) },
    ...tries.map((trie) => ({ stateKey: childTrieKey(trie.address), value: trie.value })),
  ];
}

/** State since core-1.0. */
export const oneRow: StateLayout = {
  isOf: (schema: Schema): boolean => stateRowOf(schema)?.key.SIZE === KEY,
  replay: {
    childOrder: "trie",
    metadata: Metadata as Codec<EntityMetadata>,
    holds: (metadata) => "order" in metadata,
    rules: { logsWriters: false, revives: false, mergesEntries: true },
    rowsOf: replayedRows,
  },
  forms: TAGGED_FORMS,
  textOrder: ordered011,
  isTextOrderFixed: true,
  privateKey: (key) => concat(PRIVATE, key),
  keysOf: (id) => [{ what: "entity", stateKey: entityKey(id) }],
  entitiesOf: (rows) => new OneRowEntities(rows),
};
