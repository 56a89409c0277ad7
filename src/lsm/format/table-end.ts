/** The end of a table: its footer, and the blocks with the places of its other blocks. */

import { chain, type FileSource, type MaybePromise, readBytes } from "../source.js";
import { MalformedBytes } from "./byte-cursor.js";
import { BLOCK_TRAILER, verifyBlock } from "./checksum.js";
import { type BlockHandle, FOOTER, type Footer, handleWithin, readFooter } from "./footer.js";
import { type Metaindex, readMetaindex } from "./properties.js";

/** The bytes of the first read at the end of a table. Usually opening the table needs no more. */
const TAIL = 8 * 1024;

export class TableEnd {
  readonly footer: Footer;
  readonly metaindex: Metaindex;
  /** The contents of the block of properties. */
  readonly properties: Uint8Array;
  readonly #tail: Tail;

  private constructor(tail: Tail, footer: Footer, metaindex: Metaindex, properties: Uint8Array) {
    this.#tail = tail;
    this.footer = footer;
    this.metaindex = metaindex;
    this.properties = properties;
  }

  /** @throws MalformedBytes, UnsupportedFormat; MerostoreError of reading the file */
  static async read(source: FileSource): Promise<TableEnd> {
    const size = Math.min(TAIL, source.size);
    if (size < FOOTER) throw new MalformedBytes("it is shorter than a footer");
    const tail = new Tail(source, await readBytes(source, source.size - size, new Uint8Array(size)));
    const offset = source.size - FOOTER;
    const footer = await readFooter(await tail.read(offset, FOOTER), offset);
    const metaindex = readMetaindex(await tail.block(footer, footer.metaindex), footer);
    const properties = await tail.block(footer, metaindex.properties);
    return new TableEnd(tail, footer, metaindex, properties);
  }

  /** Returns the contents of a block that is never compressed. @throws MalformedBytes, UnsupportedFormat */
  block(handle: BlockHandle): MaybePromise<Uint8Array> {
    return this.#tail.block(this.footer, handle);
  }

  /** @throws MalformedBytes for a block outside the file, UnsupportedFormat for a too long one */
  check(handle: BlockHandle | undefined): void {
    if (handle !== undefined) this.#tail.check(handle);
  }
}

/** The last bytes of a file, which are read first. Earlier bytes are read on demand. */
class Tail {
  readonly #source: FileSource;
  readonly #bytes: Uint8Array;
  readonly #offset: number;

  constructor(source: FileSource, bytes: Uint8Array) {
    this.#source = source;
    this.#bytes = bytes;
    this.#offset = source.size - bytes.length;
  }

  check(handle: BlockHandle): void {
    handleWithin(handle, this.#source.size, "a block is beyond the end of the file");
  }

  read(offset: number, length: number): MaybePromise<Uint8Array> {
    const at = offset - this.#offset;
    return at < 0
      ? readBytes(this.#source, offset, new Uint8Array(length))
      : this.#bytes.subarray(at, at + length);
  }

  block(footer: Footer, handle: BlockHandle): MaybePromise<Uint8Array> {
    this.check(handle);
    return chain(this.read(handle.offset, handle.size + BLOCK_TRAILER), (bytes) => {
      verifyBlock(footer, bytes, 0, handle);
      if (bytes[handle.size] !== 0) throw new MalformedBytes("a block is compressed that never is");
      return bytes.subarray(0, handle.size);
    });
  }
}
