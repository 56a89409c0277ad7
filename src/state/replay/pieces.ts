/** Bytes one after another in few pieces of memory: an array for each would take a hundred bytes more. */

/** Bytes of a piece, unless what it holds is larger. */
const PIECE = 1 << 20;

/** Byte strings that are kept as long as all of them. */
export class Pieces {
  readonly #pieces: Uint8Array[] = [];
  readonly #numbers = new Map<ArrayBufferLike, number>();
  #used = PIECE;

  /** Keeps bytes, of which the caller must not change those that a piece does not hold. Returns a view of them. */
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

  /** The number of the piece of which bytes are a view; undefined if they are kept elsewhere. */
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
