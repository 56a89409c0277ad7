/** Bytes one after another in few pieces of memory: an array for each would take a hundred bytes more. */

/** Bytes of a piece. A larger byte string is a piece of its own. */
const PIECE = 1 << 20;

/** Byte strings. None is freed before all of them are. */
export class Pieces {
  readonly #pieces: Uint8Array[] = [];
  readonly #numbers = new Map<ArrayBufferLike, number>();
  #used = PIECE;

  /**
   * Keeps bytes, and returns a view of them. Bytes that are larger than a piece are not copied: the caller must not
   * change them.
   */
  add(bytes: Uint8Array): Uint8Array {
    const isLarge = bytes.length > PIECE;
    let piece = this.#pieces.at(-1);
    if (piece === undefined || bytes.length > piece.length - this.#used) {
      piece = isLarge ? bytes : new Uint8Array(PIECE);
      this.#numbers.set(piece.buffer, this.#pieces.length);
      this.#pieces.push(piece);
      this.#used = 0;
    }
    const start = this.#used;
    if (!isLarge) piece.set(bytes, start);
    this.#used = start + bytes.length;
    return piece.subarray(start, this.#used);
  }

  /** The number of the piece that a view belongs to; undefined if the bytes are kept elsewhere. */
  numberOf({ buffer }: Uint8Array): number | undefined {
    return this.#numbers.get(buffer);
  }

  /** The piece that has the bytes that were added last. */
  get newest(): Uint8Array {
    return this.#pieces.at(-1) as Uint8Array;
  }

  /** A piece. */
  piece(number: number): Uint8Array {
    return this.#pieces[number] as Uint8Array;
  }
}
