/** Index rows of entities, whose children are read when they are asked for: a collection may have millions. */
import { copyBytes } from "../bytes/bytes.js";
import { b32, bool, option, Reader, ReadFailure, u64, vec } from "../codec/index.js";
import {
  ChildInfo,
  ChildInfo010,
  type CrdtType010,
  type CrdtType011,
  Metadata010,
  Metadata011,
} from "../payloads/index.js";

/** The metadata that the storage library keeps for each entity, in the layout of either revision. */
export type EntityMetadata = Metadata011 | Metadata010;

/** An index row: an entity's place in the tree. */
export interface IndexRow {
  /** The entity's id, 32 bytes. */
  readonly id: Uint8Array;
  /** The parent's id, 32 bytes; null for the root. */
  readonly parentId: Uint8Array | null;
  /** The children, in stored order: by the time when they were made, then by id. */
  readonly children: ChildList;
  /** SHA-256 of the own hash and those of the children, 32 bytes. */
  readonly fullHash: Uint8Array;
  /** SHA-256 of the entity's data, 32 bytes. */
  readonly ownHash: Uint8Array;
  /** Times, owner and kind of the entity. */
  readonly metadata: EntityMetadata;
  /** The time of the deletion, in nanoseconds since 1970; null while the entity lives. */
  readonly deletedAt: bigint | null;
  /** Ids of deleted children, 32 bytes each; none in core-0.10. */
  readonly deletedChildren: readonly Uint8Array[];
}

const parent = option(b32);
const time = option(u64);
const ids = vec(b32);

/** Decodes an index row; undefined for any other bytes. `isOld` is whether rows have the layout of core-0.10. */
export function decodeIndexRow(bytes: Uint8Array, isOld: boolean): IndexRow | undefined {
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

/** A child as its parent's row has it. */
export interface Child {
  /** The child's id, 32 bytes. */
  readonly id: Uint8Array;
  /** The child's full hash as the parent knows it, 32 bytes. */
  readonly merkleHash: Uint8Array;
  /** Times, owner and kind of the child. */
  readonly metadata: EntityMetadata;
}

/** The children of an entity, in stored order. */
export class ChildList {
  /** No children. */
  static readonly none = new ChildList(new Uint8Array(0), 0, 0, false);

  /** The number of children. */
  readonly size: number;
  readonly #bytes: Uint8Array;
  readonly #start: number;
  readonly #isOld: boolean;

  private constructor(bytes: Uint8Array, start: number, size: number, isOld: boolean) {
    this.#bytes = bytes;
    this.#start = start;
    this.size = size;
    this.#isOld = isOld;
  }

  /** Reads a list at the cursor without creating its children. */
  static read(reader: Reader, isOld: boolean): ChildList {
    const count = reader.u32();
    const least = shortest(isOld);
    if (count * least > reader.left)
      throw reader.fail(`${count} children`, `${reader.left} bytes`, reader.at);
    const list = new ChildList(reader.bytes, reader.at, count, isOld);
    reader.at = list.#end(reader.at);
    return list;
  }

  /** The ids of the children, 32 bytes each. */
  *ids(): Generator<Uint8Array, void, undefined> {
    let at = this.#start;
    for (let index = 0; index < this.size; index++) {
      yield copyBytes(this.#bytes.subarray(at, at + 32));
      at = this.#next(at);
    }
  }

  /** The children with what the row knows of them. */
  *[Symbol.iterator](): Generator<Child, void, undefined> {
    const reader = new Reader(this.#bytes);
    reader.at = this.#start;
    const codec = this.#isOld ? ChildInfo010 : ChildInfo;
    for (let index = 0; index < this.size; index++) yield codec.read(reader);
  }

  /** The offset after the last child. */
  #end(start: number): number {
    const bytes = this.#bytes;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const size = shortest(this.#isOld);
    let at = start;
    for (let index = 0; index < this.size; index++) {
      // The last four bytes of a child of the usual form are zeros.
      const isUsual = at + size <= bytes.length && !this.#isOld && view.getUint32(at + 80) === 0;
      at = isUsual ? at + size : this.#next(at);
    }
    return at;
  }

  /** The offset of the next child. Most children are public and have neither a name nor a type: fixed in length. */
  #next(at: number): number {
    const bytes = this.#bytes;
    const end = at + shortest(this.#isOld);
    if (end > bytes.length) throw new ReadFailure(at, "a child", "too few bytes");
    let set = 0;
    for (let byte = at + 80; byte < end; byte++) set |= bytes[byte] as number;
    if (set === 0) return end;
    const reader = new Reader(bytes);
    reader.at = at;
    (this.#isOld ? ChildInfo010 : ChildInfo).pass(reader);
    return reader.at;
  }
}

/** Bytes of a child without owner, name, type and version. */
function shortest(isOld: boolean): number {
  return isOld ? 83 : 84;
}

/** The rule by which concurrent changes of an entity merge, in the layout of either revision. */
export type AnyCrdtType = CrdtType011 | CrdtType010;
