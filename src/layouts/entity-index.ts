/** The index record of an entity since core-1.0: its place in the tree and its hashes. Its children are in a trie. */
import { equalBytes } from "../bytes/order.js";
import {
  b32,
  type Codec,
  type Decoded,
  nanoseconds,
  option,
  type Reader,
  Recoded,
  struct,
  u64,
  varint,
  vec,
  type Writer,
} from "../codec/index.js";
import { fullHash } from "../digests/index.js";
import { Metadata } from "../payloads/index.js";

const time = nanoseconds(u64);

const fields = struct("EntityIndex", {
  /** The entity's id, 32 bytes. The root's id is the context's id. */
  id: b32,
  /** The parent's id, 32 bytes; null for the root and for seals. */
  parentId: option(b32),
  /** SHA-256 of the entity's data, 32 bytes; zeros for an entity without data. */
  ownHash: b32,
  /** `fullHash` of the own hash and the trie of the children, 32 bytes. */
  fullHash: b32,
  /** Times, owner and kind of the entity. */
  metadata: Metadata,
  /** When the entity was deleted, in nanoseconds since 1970; null while it lives. */
  deletedAt: option(time),
  /** Ids of deleted children, 32 bytes each. */
  deletedChildren: vec(b32),
});
/** An entity: its place in the tree, its hashes and the ids of deleted children. */
export type EntityIndex = Decoded<typeof fields>;

const HAS_PARENT = 0x01;
const HAS_FULL = 0x02;
const HAS_DELETED_AT = 0x04;
const HAS_DELETED_CHILDREN = 0x08;
const ZERO_OWN = 0x10;
const DELETED_WHEN_UPDATED = 0x20;
const KNOWN = 0x3f;

const ZEROS = new Uint8Array(32);
const ids = vec(b32);

function readFullHash(reader: Reader, ownHash: Uint8Array): Uint8Array {
  const found = reader.field("fullHash", b32);
  if (equalBytes(found, fullHash(ownHash)))
    throw reader.fail("a full hash that the own hash does not give", "one that it gives", reader.at - 32);
  return found;
}

/** The places of the own hash in a row. */
export interface OwnHash {
  /** The own hash, if the row leaves it out because it is the hash of the data. */
  readonly derived: Uint8Array | undefined;
  /** SHA-256 of the data, which must not be stored; undefined without data. */
  readonly ofData: Uint8Array | undefined;
}

/**
 * Reads the index part of an entity's row.
 *
 * @param end the end of the index part
 * @param isOlderTombstone whether to accept a tombstone of an older node, with fields that are left out today
 */
export function readSlim(
  reader: Reader,
  end: number,
  id: Uint8Array,
  { derived, ofData }: OwnHash,
  metadataCodec: Codec<Metadata>,
  isOlderTombstone: boolean,
): EntityIndex {
  const start = reader.at;
  const flags = reader.u8();
  if ((flags & ~KNOWN) !== 0) throw reader.failLater("flags of an index, at most 3f", `flags ${hex(flags)}`);
  if ((flags & ZERO_OWN) !== 0 && derived !== undefined)
    throw reader.fail("an own hash of zeros, or that of the data", "both", start);
  if ((flags & HAS_DELETED_AT) !== 0 && (flags & DELETED_WHEN_UPDATED) !== 0)
    throw reader.fail("deletedAt, or that it is updatedAt", "both", start);
  reader.trace?.note("flags", "u8", start, reader.at, hex(flags));
  const isOlder =
    isOlderTombstone && (flags & (HAS_DELETED_AT | ZERO_OWN | DELETED_WHEN_UPDATED)) === HAS_DELETED_AT;
  const parentId = (flags & HAS_PARENT) === 0 ? null : reader.field("parentId", b32);
  const ownHash = derived ?? ((flags & ZERO_OWN) === 0 ? readOwnHash(reader, ofData, isOlder) : ZEROS);
  const full = (flags & HAS_FULL) === 0 ? fullHash(ownHash) : readFullHash(reader, ownHash);
  const metadata = reader.field("metadata", metadataCodec);
  const { updatedAt } = metadata;
  let deletedAt = (flags & DELETED_WHEN_UPDATED) === 0 ? null : updatedAt;
  if ((flags & HAS_DELETED_AT) !== 0) {
    deletedAt = reader.field("deletedAt", time);
    if (deletedAt === updatedAt && !isOlder)
      throw reader.fail("a time other than updatedAt", "the same", reader.at - 8);
  }
  const deleted = (flags & HAS_DELETED_CHILDREN) === 0 ? undefined : readDeletedChildren(reader, end);
  if (reader.at !== end) throw reader.fail("the end of the index part", `byte ${reader.at}`, reader.at);
  const index = { id, parentId, ownHash, fullHash: full, metadata, deletedAt };
  if (deleted === undefined) return { ...index, deletedChildren: [] };
  // The list has all children that were ever deleted, and most readers do not need it.
  const whole = {
    ...index,
    get deletedChildren() {
      return idsIn(deleted);
    },
  };
  deletedIds.set(whole, deleted);
  return whole;
}

/** The concatenated ids of deleted children of each decoded index. */
const deletedIds = new WeakMap<object, Uint8Array>();

const ID = 32;

function idsIn(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: bytes.length / ID }, (_, at) => bytes.subarray(at * ID, (at + 1) * ID));
}

/** Yields the ids of deleted children, at most `size` at a time: one list of all takes several times their bytes. */
export function* deletedChildrenOf(index: EntityIndex, size: number): Generator<readonly Uint8Array[]> {
  const bytes = deletedIds.get(index);
  const count = bytes === undefined ? index.deletedChildren.length : bytes.length / ID;
  for (let at = 0; at < count; at += size)
    yield bytes === undefined
      ? index.deletedChildren.slice(at, at + size)
      : idsIn(bytes.subarray(at * ID, (at + size) * ID));
}

function readOwnHash(reader: Reader, ofData: Uint8Array | undefined, isOlder: boolean): Uint8Array {
  const found = reader.field("ownHash", b32);
  if (ofData !== undefined && equalBytes(found, ofData))
    throw reader.fail("an own hash that the data does not give", "one that it gives", reader.at - 32);
  if (!isOlder && equalBytes(found, ZEROS))
    throw reader.fail("an own hash other than zeros", "zeros", reader.at - 32);
  return found;
}

function readDeletedChildren(reader: Reader, end: number): Uint8Array {
  const start = reader.at;
  const count = varint.read(reader);
  if (count === 0n || count * 32n > BigInt(end - reader.at))
    throw reader.fail("1 or more ids of deleted children that fit", `${count}`, start);
  reader.trace?.note("count", "varint", start, reader.at, `${count}`);
  const first = reader.at;
  if (reader.trace !== undefined)
    for (let at = 0; at < Number(count); at++) reader.field(`deletedChildren[${at}]`, b32);
  reader.at = first;
  return reader.take(Number(count) * ID);
}

/** Writes the index part of an entity's row. `isDerived` is true if the row leaves out the own hash. */
export function writeSlim(writer: Writer, index: EntityIndex, isDerived: boolean): void {
  const { parentId, ownHash, metadata, deletedAt, deletedChildren } = index;
  const isZero = !isDerived && equalBytes(ownHash, ZEROS);
  const hasFull = !equalBytes(index.fullHash, fullHash(ownHash));
  const isWhenUpdated = deletedAt !== null && deletedAt === metadata.updatedAt;
  writer.u8(
    (parentId === null ? 0 : HAS_PARENT) |
      (hasFull ? HAS_FULL : 0) |
      (deletedAt === null || isWhenUpdated ? 0 : HAS_DELETED_AT) |
      (deletedChildren.length === 0 ? 0 : HAS_DELETED_CHILDREN) |
      (isZero ? ZERO_OWN : 0) |
      (isWhenUpdated ? DELETED_WHEN_UPDATED : 0),
  );
  if (parentId !== null) b32.write(writer, parentId);
  if (!isDerived && !isZero) b32.write(writer, ownHash);
  if (hasFull) b32.write(writer, index.fullHash);
  Metadata.write(writer, metadata);
  if (deletedAt !== null && !isWhenUpdated) time.write(writer, deletedAt);
  if (deletedChildren.length === 0) return;
  varint.write(writer, BigInt(deletedChildren.length));
  for (const id of deletedChildren) b32.write(writer, id);
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}

class EntityIndexCodec extends Recoded<EntityIndex> {
  read(reader: Reader): EntityIndex {
    const id = reader.field("id", b32);
    const parentId = reader.field("parentId", fieldsOfBorsh.parentId);
    const ownHash = reader.field("ownHash", b32);
    const tag = reader.u8();
    if (tag > 1) throw reader.fail("00 (as the own hash gives it) or 01 (full hash)", `byte ${tag}`);
    const full = tag === 0 ? fullHash(ownHash) : readFullHash(reader, ownHash);
    const metadata = reader.field("metadata", Metadata);
    const deletedAt = reader.field("deletedAt", fieldsOfBorsh.deletedAt);
    const deletedChildren = reader.field("deletedChildren", ids);
    return { id, parentId, ownHash, fullHash: full, metadata, deletedAt, deletedChildren };
  }

  write(writer: Writer, index: EntityIndex): void {
    b32.write(writer, index.id);
    fieldsOfBorsh.parentId.write(writer, index.parentId);
    b32.write(writer, index.ownHash);
    const hasFull = !equalBytes(index.fullHash, fullHash(index.ownHash));
    writer.u8(hasFull ? 1 : 0);
    if (hasFull) b32.write(writer, index.fullHash);
    Metadata.write(writer, index.metadata);
    fieldsOfBorsh.deletedAt.write(writer, index.deletedAt);
    ids.write(writer, index.deletedChildren);
  }
}

const fieldsOfBorsh = { parentId: option(b32), deletedAt: option(time) };

/**
 * An entity in messages between nodes: Borsh, with one byte instead of a full hash that follows from the own hash. From
 * 81 bytes. Rows of State have a shorter form, `EntityRow`.
 */
export const EntityIndex: Codec<EntityIndex> = new EntityIndexCodec(fields, { min: 81, max: undefined });
