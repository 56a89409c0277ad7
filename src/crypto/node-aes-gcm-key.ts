/**
 * A key of AES-256-GCM in Node. `createDecipheriv` costs 5 µs, many times as much as the decryption of a short value:
 * the key stream of all short values of a batch is made in one call instead, and their tags are checked here.
 */
import type { Cipher } from "node:crypto";
import { Ghash } from "./ghash.js";
import type { nodeCrypto } from "./node-crypto.js";
import type { AesGcmKey, SealedValue } from "./sealed-value.js";

type NodeCrypto = NonNullable<typeof nodeCrypto>;
type KeyObject = ReturnType<NodeCrypto["createSecretKey"]>;

const BLOCK = 16;
const TAG_SIZE = 16;
const WORD = 4;
/** Longer values are decrypted one by one, which is faster for them. */
const SHORT = 2048;
/** Bytes of key stream that are made at once. */
const STREAM_SIZE = 64 * 1024;

/** The counters of the blocks of a short value, big-endian, as words of this machine. */
const COUNTERS = countersUpTo(1 + SHORT / BLOCK);

export class NodeAesGcmKey implements AesGcmKey {
  readonly #crypto: NodeCrypto;
  readonly #key: KeyObject;
  readonly #blocks: Cipher;
  readonly #counters = new Uint8Array(STREAM_SIZE);
  #ghash: Ghash | undefined;

  constructor(crypto: NodeCrypto, bytes: Uint8Array) {
    this.#crypto = crypto;
    this.#key = crypto.createSecretKey(bytes);
    this.#blocks = crypto.createCipheriv("aes-256-ecb", this.#key, null).setAutoPadding(false);
  }

  encrypt(nonce: Uint8Array, plaintext: Uint8Array, associatedData: Uint8Array): Uint8Array {
    const cipher = this.#crypto.createCipheriv("aes-256-gcm", this.#key, nonce);
    cipher.setAAD(associatedData);
    const encrypted = cipher.update(plaintext);
    cipher.final();
    const sealed = new Uint8Array(encrypted.length + TAG_SIZE);
    sealed.set(encrypted);
    sealed.set(cipher.getAuthTag(), encrypted.length);
    return sealed;
  }

  decrypt(values: readonly SealedValue[]): (Uint8Array | undefined)[] {
    const plain: (Uint8Array | undefined)[] = new Array(values.length).fill(undefined);
    let batch: number[] = [];
    let blocks = 0;
    for (const [at, value] of values.entries()) {
      const size = value.ciphertext.length - TAG_SIZE;
      if (size < 0) continue;
      if (size > SHORT) {
        plain[at] = decryptWithNode(this.#crypto, this.#key, value);
        continue;
      }
      const needed = 1 + Math.ceil(size / BLOCK);
      if ((blocks + needed) * BLOCK > STREAM_SIZE) {
        this.#decryptShort(values, batch, blocks, plain);
        batch = [];
        blocks = 0;
      }
      batch.push(at);
      blocks += needed;
    }
    this.#decryptShort(values, batch, blocks, plain);
    return plain;
  }

  wipe(): void {
    this.#ghash?.wipe();
    this.#ghash = undefined;
    this.#counters.fill(0);
  }

  /** Decrypts the values at some places, whose key streams have `blocks` blocks in all. */
  #decryptShort(
    values: readonly SealedValue[],
    places: readonly number[],
    blocks: number,
    plain: (Uint8Array | undefined)[],
  ): void {
    if (places.length === 0) return;
    this.#ghash ??= new Ghash(this.#blocks.update(new Uint8Array(BLOCK)));
    const stream = this.#keyStream(values, places, blocks);
    // One allocation for all plaintexts: one for each would take most of the time.
    const plaintexts = new Uint8Array(stream.length - places.length * BLOCK);
    const plainWords = new Int32Array(plaintexts.buffer);
    const streamWords = new Int32Array(stream.buffer, stream.byteOffset, stream.length / WORD);
    let at = 0;
    let free = 0;
    for (const place of places) {
      const { ciphertext, associatedData } = values[place] as SealedValue;
      const size = ciphertext.length - TAG_SIZE;
      const hash = this.#ghash.hash(associatedData, ciphertext, size);
      const padded = BLOCK * Math.ceil(size / BLOCK);
      if (isTag(hash, stream, at, ciphertext, size)) {
        plaintexts.set(ciphertext.subarray(0, size), free);
        // Word by word: both places are multiples of 16.
        const [to, from] = [free / WORD, (at + BLOCK) / WORD];
        const count = Math.ceil(size / WORD);
        for (let word = 0; word < count; word++)
          plainWords[to + word] = (plainWords[to + word] as number) ^ (streamWords[from + word] as number);
        plaintexts.fill(0, free + size, free + padded);
        plain[place] = new Uint8Array(plaintexts.buffer, free, size);
        free += padded;
      }
      at += BLOCK + padded;
    }
    stream.fill(0);
  }

  /** The encrypted counters of the values: 1 for the tag, from 2 for the blocks. */
  #keyStream(values: readonly SealedValue[], places: readonly number[], blocks: number): Uint8Array {
    const counters = this.#counters;
    const words = new Int32Array(counters.buffer);
    let at = 0;
    for (const place of places) {
      const { nonce, ciphertext } = values[place] as SealedValue;
      const last = 1 + Math.ceil((ciphertext.length - TAG_SIZE) / BLOCK);
      counters.set(nonce, at);
      const first = at / WORD;
      const [a, b, c] = [words[first], words[first + 1], words[first + 2]] as [number, number, number];
      for (let counter = 1, word = first; counter <= last; counter++, word += BLOCK / WORD) {
        words[word] = a;
        words[word + 1] = b;
        words[word + 2] = c;
        words[word + 3] = COUNTERS[counter] as number;
      }
      at += last * BLOCK;
    }
    // A copy: words can be read at multiples of 4 only, and buffers of Node may begin anywhere.
    const made = this.#blocks.update(counters.subarray(0, blocks * BLOCK));
    return made.byteOffset % WORD === 0 ? made : Uint8Array.from(made);
  }
}

/** Decrypts one value; undefined if the tag does not match. */
export function decryptWithNode(
  crypto: NodeCrypto,
  key: KeyObject | Uint8Array,
  { nonce, ciphertext, associatedData }: SealedValue,
): Uint8Array | undefined {
  if (ciphertext.length < TAG_SIZE) return undefined;
  const decipher = crypto.createDecipheriv("aes-256-gcm", key, nonce);
  decipher.setAAD(associatedData).setAuthTag(ciphertext.subarray(-TAG_SIZE));
  const plain = decipher.update(ciphertext.subarray(0, -TAG_SIZE));
  try {
    decipher.final();
  } catch {
    return undefined;
  }
  return new Uint8Array(plain.buffer, plain.byteOffset, plain.length);
}

/** Returns whether a hash and the first block of a key stream give the tag. Compares all bytes. */
function isTag(
  hash: Int32Array,
  stream: Uint8Array,
  at: number,
  ciphertext: Uint8Array,
  size: number,
): boolean {
  let differing = 0;
  for (let byte = 0; byte < TAG_SIZE; byte++) {
    const hashed = ((hash[byte >> 2] as number) >>> (24 - 8 * (byte & 3))) & 255;
    differing |= hashed ^ (stream[at + byte] as number) ^ (ciphertext[size + byte] as number);
  }
  return differing === 0;
}

function countersUpTo(last: number): Int32Array {
  const view = new DataView(new ArrayBuffer((last + 1) * WORD));
  for (let counter = 0; counter <= last; counter++) view.setInt32(counter * WORD, counter);
  return new Int32Array(view.buffer);
}
