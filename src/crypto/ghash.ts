/**
 * GHASH, the hash of AES-GCM (NIST SP 800-38D, section 6.4), for many short messages under one key. A table of 64 KiB
 * replaces the multiplication: a block costs 16 look-ups. The look-ups depend on the key and the data, so their time
 * may leak data to other programs on the same processor.
 */

const BLOCK = 16;
const WORDS = 4;
const ENTRIES = 256;

/** The reduction polynomial of GCM, in the first word. */
const POLYNOMIAL = 0xe1000000;

/** GHASH under one key. */
export class Ghash {
  /** For each position of a byte and each byte there: the product with the key, in 4 words. */
  readonly #table = new Int32Array(BLOCK * ENTRIES * WORDS);
  readonly #state = new Int32Array(WORDS);
  readonly #last = new Uint8Array(BLOCK);

  /** @param key the encrypted block of zeros, 16 bytes */
  constructor(key: Uint8Array) {
    const view = new DataView(key.buffer, key.byteOffset, BLOCK);
    let [a, b, c, d] = [view.getInt32(0), view.getInt32(4), view.getInt32(8), view.getInt32(12)];
    const table = this.#table;
    for (let bit = 0; bit < 8 * BLOCK; bit++) {
      const at = ((bit >> 3) * ENTRIES + (0x80 >> (bit & 7))) * WORDS;
      table.set([a, b, c, d], at);
      const carry = d & 1;
      d = (d >>> 1) | (c << 31);
      c = (c >>> 1) | (b << 31);
      b = (b >>> 1) | (a << 31);
      a = (a >>> 1) ^ (carry === 1 ? POLYNOMIAL : 0);
    }
    for (let position = 0; position < BLOCK; position++) {
      for (let byte = 1; byte < ENTRIES; byte++) {
        const low = byte & -byte;
        if (low === byte) continue;
        const base = position * ENTRIES;
        for (let word = 0; word < WORDS; word++)
          table[(base + byte) * WORDS + word] =
            (table[(base + low) * WORDS + word] as number) ^
            (table[(base + byte - low) * WORDS + word] as number);
      }
    }
  }

  /** Returns the hash of associated data and a ciphertext, in 4 words that the next call overwrites. */
  hash(associatedData: Uint8Array, ciphertext: Uint8Array, size: number): Int32Array {
    const state = this.#state.fill(0);
    this.#add(associatedData, associatedData.length);
    this.#add(ciphertext, size);
    state[0] = (state[0] as number) ^ Math.floor(associatedData.length / 2 ** 29);
    state[1] = (state[1] as number) ^ (associatedData.length << 3);
    state[2] = (state[2] as number) ^ Math.floor(size / 2 ** 29);
    state[3] = (state[3] as number) ^ (size << 3);
    this.#multiply();
    return state;
  }

  /** Overwrites the table. */
  wipe(): void {
    this.#table.fill(0);
    this.#state.fill(0);
    this.#last.fill(0);
  }

  /** Adds bytes, with zeros up to the next whole block. */
  #add(bytes: Uint8Array, size: number): void {
    const whole = size - (size % BLOCK);
    for (let at = 0; at < whole; at += BLOCK) this.#addBlock(bytes, at);
    if (whole === size) return;
    const last = this.#last.fill(0);
    for (let at = whole; at < size; at++) last[at - whole] = bytes[at] as number;
    this.#addBlock(last, 0);
  }

  #addBlock(bytes: Uint8Array, at: number): void {
    const state = this.#state;
    state[0] = (state[0] as number) ^ wordAt(bytes, at);
    state[1] = (state[1] as number) ^ wordAt(bytes, at + 4);
    state[2] = (state[2] as number) ^ wordAt(bytes, at + 8);
    state[3] = (state[3] as number) ^ wordAt(bytes, at + 12);
    this.#multiply();
  }

  /** Adds the products of the 16 bytes. A loop over them takes several times as long. */
  #multiply(): void {
    const table = this.#table;
    const state = this.#state;
    const x = state[0] as number;
    const y = state[1] as number;
    const z = state[2] as number;
    const w = state[3] as number;
    const p0 = (x >>> 24) << 2;
    const p1 = (((x >>> 16) & 255) << 2) + 1024;
    const p2 = (((x >>> 8) & 255) << 2) + 2048;
    const p3 = ((x & 255) << 2) + 3072;
    const p4 = ((y >>> 24) << 2) + 4096;
    const p5 = (((y >>> 16) & 255) << 2) + 5120;
    const p6 = (((y >>> 8) & 255) << 2) + 6144;
    const p7 = ((y & 255) << 2) + 7168;
    const p8 = ((z >>> 24) << 2) + 8192;
    const p9 = (((z >>> 16) & 255) << 2) + 9216;
    const pa = (((z >>> 8) & 255) << 2) + 10240;
    const pb = ((z & 255) << 2) + 11264;
    const pc = ((w >>> 24) << 2) + 12288;
    const pd = (((w >>> 16) & 255) << 2) + 13312;
    const pe = (((w >>> 8) & 255) << 2) + 14336;
    const pf = ((w & 255) << 2) + 15360;
    for (let word = 0; word < WORDS; word++)
      state[word] =
        (table[p0 + word] as number) ^
        (table[p1 + word] as number) ^
        (table[p2 + word] as number) ^
        (table[p3 + word] as number) ^
        (table[p4 + word] as number) ^
        (table[p5 + word] as number) ^
        (table[p6 + word] as number) ^
        (table[p7 + word] as number) ^
        (table[p8 + word] as number) ^
        (table[p9 + word] as number) ^
        (table[pa + word] as number) ^
        (table[pb + word] as number) ^
        (table[pc + word] as number) ^
        (table[pd + word] as number) ^
        (table[pe + word] as number) ^
        (table[pf + word] as number);
  }
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] as number) << 24) |
    ((bytes[at + 1] as number) << 16) |
    ((bytes[at + 2] as number) << 8) |
    (bytes[at + 3] as number)
  );
}
