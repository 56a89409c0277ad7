/** The children in an index row of the layouts up to core-0.11: read when they are asked for, as there may be millions. */
import { copyBytes } from "../../bytes/bytes.js";
import { Reader, ReadFailure } from "../../codec/index.js";
import { ChildInfo, ChildInfo010 } from "../../payloads/index.js";
import type { Children } from "./layout.js";

/** The children of an entity, in stored order. */
export class ChildList implements Children {
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

  /** The same: they are stored in this order. */
  async inOrder(): Promise<Iterable<Uint8Array>> {
    return this.ids();
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
