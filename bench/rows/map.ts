/** The rows of an application whose state is one map of registers, as nodes of core-0.11 write them. */
import { concat } from "../../src/bytes/concat.js";
import {
  applicationStateId,
  collectionId,
  entryStateKey,
  indexStateKey,
  mapEntryId,
} from "../../src/digests/index.js";
import { type ChildInfo, EntityIndex011 } from "../../src/payloads/index.js";
import type { Random } from "../random.js";
import { mapMetadata, plainMetadata } from "./metadata.js";

const encoder = new TextEncoder();
/** The name of the map. */
export const FIELD = "items";

/** A row of State: the key without the context's id, and the value. */
export type StateRow = readonly [key: Uint8Array, value: Uint8Array];

/** The key of the entry at a place. */
export function keyAt(place: number): string {
  return `key ${place}`;
}

/** The index rows and entries of a map with so many entries, and the entry of the state that holds it. */
export function* mapRows(random: Random, contextId: Uint8Array, size: number): Generator<StateRow> {
  const map = collectionId(FIELD);
  const children: ChildInfo[] = [];
  for (let place = 0; place < size; place++) {
    const key = encoder.encode(keyAt(place));
    const metadata = { ...plainMetadata(moment(random)), schemaVersion: null };
    const entry = { id: mapEntryId(map, key), merkleHash: random.id(), metadata };
    children.push(entry);
    yield indexRow(entry, map, null);
    yield entryRow(entry.id, concat(text(key), text(random.bytes(20)), stamp(random)));
  }
  const time = moment(random);
  const metadata = { ...mapMetadata(time), schemaVersion: null };
  yield indexRow({ id: map, merkleHash: random.id(), metadata }, contextId, children);
  yield entryRow(applicationStateId(), map);
}

/** Nanoseconds since 1970 of the year 2026. */
const BEGIN = 1_795_242_408_000_000_000n;

/** Some moment of the day after the beginning. */
function moment(random: Random): bigint {
  return BEGIN + BigInt(random.below(86_400)) * 1_000_000_000n + BigInt(random.below(1_000_000_000));
}

function indexRow(
  { id, merkleHash, metadata }: ChildInfo,
  parentId: Uint8Array,
  children: ChildInfo[] | null,
): StateRow {
  const value = EntityIndex011.encode({
    id,
    parentId,
    children,
    fullHash: merkleHash,
    ownHash: merkleHash,
    metadata,
    deletedAt: null,
    deletedChildren: [],
  });
  return [indexStateKey(id), value];
}

function entryRow(id: Uint8Array, data: Uint8Array): StateRow {
  return [entryStateKey(id), concat(data, id)];
}

/** ASCII text after its length. */
function text(bytes: Uint8Array): Uint8Array {
  return concat(
    Uint8Array.of(bytes.length, 0, 0, 0),
    bytes.map((byte) => byte & 0x7f),
  );
}

/** When a register was written, and by whom: 56 bytes. */
function stamp(random: Random): Uint8Array {
  const bytes = random.bytes(56);
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(4, 1_795_242_408, true);
  return bytes;
}
