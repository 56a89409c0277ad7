/** A part of a file in memory, which moves along with a search. */

import type { FileSource } from "../../../lsm/source.js";

/** Bytes of the part, unless more are needed. */
export const WINDOW = 1024 * 1024;

export class Window {
  readonly #source: FileSource;
  /** The bytes in memory, from `offset` of the file on. */
  bytes: Uint8Array = new Uint8Array(0);
  offset = 0;

  constructor(source: FileSource) {
    this.#source = source;
  }

  /** The end of the part in the file. */
  get end(): number {
    return this.offset + this.bytes.length;
  }

  /** Reads the part that begins at a place. Nothing is read if it has as many bytes from there on already. */
  async load(offset: number, length: number = WINDOW): Promise<void> {
    const end = Math.min(this.#source.size, offset + length);
    if (offset >= this.offset && end <= this.end) return;
    this.bytes = await this.#source.read(offset, new Uint8Array(end - offset));
    this.offset = offset;
  }

  /** Moves on when less than half of a part is left after a place. */
  async reach(offset: number): Promise<void> {
    const isAhead =
      offset >= this.offset && (this.end - offset >= WINDOW / 2 || this.end === this.#source.size);
    if (!isAhead) await this.load(offset);
  }
}
