/**
 * Bytes on their way to and from the server: arrays of `bytea` in its binary form, and the hex digits of its answers.
 */

/** PostgreSQL's number of the type `bytea`. */
export const BYTEA = 17;

/**
 * Returns the binary form of `bytea[]`: the number of dimensions, no nulls, the type, the length, the first index, the
 * elements.
 */
export function byteArrays(elements: readonly Uint8Array[]): Buffer {
  let size = 20;
  for (const { length } of elements) size += 4 + length;
  const buffer = Buffer.allocUnsafe(size);
  buffer.writeInt32BE(1, 0);
  buffer.writeInt32BE(0, 4);
  buffer.writeInt32BE(BYTEA, 8);
  buffer.writeInt32BE(elements.length, 12);
  buffer.writeInt32BE(1, 16);
  let at = 20;
  for (const element of elements) {
    at = buffer.writeInt32BE(element.length, at);
    buffer.set(element, at);
    at += element.length;
  }
  return buffer;
}

/** Bytes as `pg` takes them for a parameter: sent in binary. */
export function parameter({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

/** Bytes as the server writes them in its answers: `\x01ff`. */
export function asAnswered(bytes: Uint8Array): string {
  return `\\x${parameter(bytes).toString("hex")}`;
}

/** Bytes of a text of the form `\x01ff`. */
export function sizeOf(text: string): number {
  return (text.length - 2) / 2;
}

/** Reads texts of the form `\x01ff` into one buffer, and returns views of it. */
export class HexReader {
  readonly #memory: Buffer;
  #used = 0;

  /** @param size the bytes of all texts together */
  constructor(size: number) {
    this.#memory = Buffer.allocUnsafeSlow(size);
  }

  read(text: string): Uint8Array {
    const start = this.#used;
    this.#used += this.#memory.write(text.slice(2), start, "hex");
    return new Uint8Array(this.#memory.buffer, start, this.#used - start);
  }
}

/** The bytes of a text of the form `\x01ff`. */
export function fromAnswer(text: string): Uint8Array {
  return new HexReader(sizeOf(text)).read(text);
}
