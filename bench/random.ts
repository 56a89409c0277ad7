/** Pseudorandom numbers and bytes, reproducible by seed: xorshift128, seeded by splitmix32. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(seed: number) {
    let state = seed >>> 0;
    const next = (): number => {
      state = (state + 0x9e3779b9) >>> 0;
      let mixed = state ^ (state >>> 16);
      mixed = Math.imul(mixed, 0x21f0aaad);
      mixed ^= mixed >>> 15;
      mixed = Math.imul(mixed, 0x735a2d97);
      return (mixed ^ (mixed >>> 15)) >>> 0;
    };
    this.#a = next();
    this.#b = next();
    this.#c = next();
    this.#d = next() | 1; // never all zero
  }

  /** A whole number from 0 to 2^32 - 1. */
  u32(): number {
    let last = this.#d;
    last ^= last << 11;
    last ^= last >>> 8;
    this.#d = this.#c;
    this.#c = this.#b;
    this.#b = this.#a;
    this.#a = (this.#a ^ (this.#a >>> 19) ^ last) >>> 0;
    return this.#a;
  }

  /** A whole number from 0 to `bound` - 1. */
  below(bound: number): number {
    return Math.floor((this.u32() / 2 ** 32) * bound);
  }

  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** True `percent` times in a hundred. */
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  u64(): bigint {
    return (BigInt(this.u32()) << 32n) | BigInt(this.u32());
  }

  bytes(size: number): Uint8Array {
    const words = new Uint32Array(Math.ceil(size / 4));
    for (let at = 0; at < words.length; at++) words[at] = this.u32();
    return new Uint8Array(words.buffer, 0, size);
  }

  /** 32 bytes: an id, a hash, a public key. */
  id(): Uint8Array {
    return this.bytes(32);
  }

  /** Returns a random element of the list. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}
