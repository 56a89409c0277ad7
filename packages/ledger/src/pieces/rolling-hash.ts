/**
 * Finds where content is cut into chunks: after each window of 64 bytes whose hash ends in 13 one bits. A change of the
 * content moves only the cuts near it. A chunk has 4096 to 65535 bytes; only the last one may be shorter.
 *
 * The hash has sums over the window: s1 of its bytes, s2 of the values of s1, and so on. Each byte counts as its value
 * + 31. `V1` and `V2` have two sums and 32 bits, `V3` has four and 64.
 */
import { describeValue, invalidArgument } from "merostore/internal";

/** The variants of the rolling hash. The same content has other ids under another variant. */
export type RollingHash = "V1" | "V2" | "V3";

/** Permutes hashes, so that others cannot predict the cuts. */
export type Permutation = (hash: bigint) => bigint;

/** A permutation that fails by name when it returns something else than a hash. */
function checkedPermutation(permutation: Permutation): Permutation {
  return (hash) => {
    const permuted: unknown = permutation(hash);
    if (typeof permuted === "bigint") return permuted;
    throw invalidArgument(`the permutation of a ledger must return a bigint, not ${describeValue(permuted)}`);
  };
}

/** The end of a chunk, and how many levels of indexes end with it. */
export interface Cut {
  /** Bytes of the chunk. */
  readonly length: number;
  /** The number of levels of indexes that end here. */
  readonly level: number;
}

export const MIN_CHUNK = 4096;
export const MAX_CHUNK = 65535;

const WINDOW = 64;
/** The error of the initial second sum in V1 and V2. Their ids depend on it. */
const SUM_ERROR = 31 * (64 * 63 - (64 * 65) / 2);
const OFFSET = 31;
const CUT_BITS = 13;
const CUT_MASK = (1 << CUT_BITS) - 1;
/** Bits of the hash for each level of indexes. */
const LEVEL_BITS = 4;

/** The weights of a byte in the third and the fourth sum when it leaves the window; 64 in the second one. */
const C2 = (WINDOW * (WINDOW + 1)) / 2;
const C3 = (C2 * (WINDOW + 2)) / 3;

/** Finds the cuts of one variant. */
export class ChunkCutter {
  readonly #variant: RollingHash;
  readonly #permutation: Permutation | undefined;
  /** The sums at the last cut. Only their low 16 bits are used. */
  readonly #sums = new Int32Array(4);

  constructor(variant: RollingHash, permutation?: Permutation) {
    this.#variant = variant;
    // V1 has none.
    this.#permutation = variant === "V1" ? undefined : permutation && checkedPermutation(permutation);
  }

  /**
   * Finds the end of the chunk that begins at `start`; undefined if it has no end before `end`. Reads only bytes of the
   * chunk: the window is shorter than the shortest chunk.
   */
  next(bytes: Uint8Array, start: number, end: number): Cut | undefined {
    const limit = Math.min(end, start + MAX_CHUNK);
    if (limit - start < MIN_CHUNK) return undefined;
    this.#begin(bytes, start + MIN_CHUNK - WINDOW);
    const cut =
      this.#permutation !== undefined
        ? this.#findPermuted(bytes, start + MIN_CHUNK, limit)
        : this.#variant === "V3"
          ? this.#find4(bytes, start + MIN_CHUNK, limit)
          : this.#find2(bytes, start + MIN_CHUNK, limit);
    if (cut === undefined && limit < start + MAX_CHUNK) return undefined;
    return { length: (cut ?? limit) - start, level: this.#level() };
  }

  /** Fills the window with the bytes from `at`. */
  #begin(bytes: Uint8Array, at: number): void {
    let [s1, s2, s3, s4] = [0, 0, 0, 0];
    for (let offset = 0; offset < WINDOW; offset++) {
      s1 += (bytes[at + offset] as number) + OFFSET;
      s2 += s1;
      s3 += s2;
      s4 = (s4 + s3) | 0;
    }
    this.#sums.set([s1, this.#variant === "V3" ? s2 : s2 + SUM_ERROR, s3, s4]);
  }

  /** Moves the window until its second sum makes a cut; `at` is the end of the window. */
  #find2(bytes: Uint8Array, at: number, limit: number): number | undefined {
    let s1 = this.#sums[0] as number;
    let s2 = this.#sums[1] as number;
    let end = at;
    while ((s2 & CUT_MASK) !== CUT_MASK && end < limit) {
      const drop = bytes[end - WINDOW] as number;
      s1 = (s1 + (bytes[end] as number) - drop) | 0;
      s2 = (s2 + s1 - Math.imul(WINDOW, drop + OFFSET)) | 0;
      end++;
    }
    this.#sums[0] = s1;
    this.#sums[1] = s2;
    return (s2 & CUT_MASK) === CUT_MASK ? end : undefined;
  }

  /** Like {@link #find2}, with the fourth sum. */
  #find4(bytes: Uint8Array, at: number, limit: number): number | undefined {
    let s1 = this.#sums[0] as number;
    let s2 = this.#sums[1] as number;
    let s3 = this.#sums[2] as number;
    let s4 = this.#sums[3] as number;
    let end = at;
    while ((s4 & CUT_MASK) !== CUT_MASK && end < limit) {
      const drop = bytes[end - WINDOW] as number;
      const leaving = drop + OFFSET;
      s1 = (s1 + (bytes[end] as number) - drop) | 0;
      s2 = (s2 + s1 - Math.imul(WINDOW, leaving)) | 0;
      s3 = (s3 + s2 - Math.imul(C2, leaving)) | 0;
      s4 = (s4 + s3 - Math.imul(C3, leaving)) | 0;
      end++;
    }
    this.#sums.set([s1, s2, s3, s4]);
    return (s4 & CUT_MASK) === CUT_MASK ? end : undefined;
  }

  /** Like {@link #find2}, with the permuted hash at each byte. */
  #findPermuted(bytes: Uint8Array, at: number, limit: number): number | undefined {
    const isCut = (): boolean => (Number(this.#hash() & 0xffffn) & CUT_MASK) === CUT_MASK;
    let end = at;
    while (!isCut() && end < limit) {
      end++;
      this.#begin(bytes, end - WINDOW);
    }
    return isCut() ? end : undefined;
  }

  #hash(): bigint {
    const [s1, s2, s3, s4] = Array.from(this.#sums, (sum) => BigInt(sum & 0xffff)) as [
      bigint,
      bigint,
      bigint,
      bigint,
    ];
    const permuted = this.#permutation ?? ((hash: bigint) => hash);
    // In V2 only the second sum is permuted.
    if (this.#variant !== "V3") return (s1 << 16n) | (permuted(s2) & 0xffffn);
    return permuted((s1 << 48n) | (s2 << 32n) | (s3 << 16n) | s4) & 0xffff_ffff_ffff_ffffn;
  }

  /** Counts the one bits of the hash above the bits of the cut, without the bit directly above them. */
  #level(): number {
    let ones = 0;
    for (let rest = this.#hash() >> BigInt(CUT_BITS + 1); (rest & 1n) === 1n; rest >>= 1n) ones++;
    return Math.floor(ones / LEVEL_BITS);
  }
}
