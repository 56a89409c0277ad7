/** The places of the pieces of a pack by their hashes, in typed arrays: a folder may have millions. */

/** The bytes of a hash that a pack stores. A piece is checked by its whole hash once it is read. */
export const KEY_BYTES = 8;

/** The place of a piece. */
export interface PiecePlace {
  /** The number of the block. */
  readonly block: number;
  /** The number of the record in the block. */
  readonly record: number;
}

/** A block of a pack. */
interface Block {
  readonly kind: string;
  readonly lengths: Uint32Array;
}

export class PieceTable {
  /** The first bytes of all hashes, in the order of the records. */
  readonly #keys: Uint8Array;
  /** For the first bits of a hash: 1 + the number of the last piece with these bits. */
  readonly #last: Uint32Array;
  /** For each piece: 1 + the number of the previous piece with the same bits. */
  readonly #before: Uint32Array;
  /** For each block of pieces: its number, and the number of its first piece. */
  readonly #blocks: readonly { readonly number: number; readonly first: number }[];

  constructor(keys: readonly Uint8Array[], blocks: readonly Block[]) {
    this.#keys = new Uint8Array(KEY_BYTES * keys.length);
    this.#last = new Uint32Array(2 ** Math.ceil(Math.log2(keys.length + 1)));
    this.#before = new Uint32Array(keys.length);
    for (const [piece, key] of keys.entries()) {
      this.#keys.set(key, KEY_BYTES * piece);
      const slot = this.#slot(key);
      this.#before[piece] = this.#last[slot] as number;
      this.#last[slot] = piece + 1;
    }
    let first = 0;
    this.#blocks = blocks.flatMap(({ kind, lengths }, number) => {
      if (kind !== "pieces") return [];
      first += lengths.length;
      return [{ number, first: first - lengths.length }];
    });
  }

  /** The places of pieces that may have this hash: mostly one. */
  find(hash: Uint8Array): PiecePlace[] {
    const found: PiecePlace[] = [];
    for (let next = this.#last[this.#slot(hash)] ?? 0; next !== 0; next = this.#before[next - 1] as number)
      if (this.#fits(next - 1, hash)) found.push(this.#place(next - 1));
    return found;
  }

  #fits(piece: number, hash: Uint8Array): boolean {
    for (let at = 0; at < KEY_BYTES; at++) if (this.#keys[KEY_BYTES * piece + at] !== hash[at]) return false;
    return true;
  }

  #place(piece: number): PiecePlace {
    const block = this.#blocks.findLast(({ first }) => first <= piece) as { number: number; first: number };
    return { block: block.number, record: piece - block.first };
  }

  #slot(hash: Uint8Array): number {
    const [a = 0, b = 0, c = 0, d = 0] = hash;
    return (a | (b << 8) | (c << 16) | (d << 24)) & (this.#last.length - 1);
  }
}
