/** {@link "./node.js"} in browsers. */
import type * as Node from "./node.js";

/**
 * Values of a call, until its first `await`: browsers do not follow calls any further. So a call that waits for itself
 * is refused only before the first `await` of the callback. After that it never ends.
 */
class Context<T> {
  #present: T | undefined;

  run<R>(value: T, work: () => R): R {
    const before = this.#present;
    this.#present = value;
    try {
      return work();
    } finally {
      this.#present = before;
    }
  }

  getStore(): T | undefined {
    return this.#present;
  }
}

export const CallContext = Context as unknown as typeof Node.CallContext;

/** Work begins after an `await`, so no call is running. */
export const inThisContext: typeof Node.inThisContext = (work) => work;

/** Browsers cannot compress with brotli, so this stores the bytes uncompressed in its format. */
export const compress: typeof Node.compress = async (bytes) => storedBrotli(bytes);

export const decompress: typeof Node.decompress = async (bytes, most) => {
  const { decompress } = await import("brotli/decompress.js");
  const decompressed = decompress(bytes, Math.max(1, most)); // a guess: it returns more if there is more
  if (decompressed.length > most) throw new RangeError("there are more bytes than expected");
  return decompressed;
};

/** The largest block: its length less one has 16 bits. */
const MOST = 1 << 16;
const HEADER = 3;

/**
 * Returns bytes as a stream of brotli (RFC 7932) that stores them as they are. Bits are written from the lowest of each
 * byte on:
 *
 *     window   1, then 5 (3 bits): 22 bits, never used, since nothing is repeated
 *     block    ISLAST 0, MNIBBLES 0 (2 bits), length less one (16 bits), ISUNCOMPRESSED 1, zeros up to a byte, content
 *     end      ISLAST 1, ISLASTEMPTY 1
 */
export function storedBrotli(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 0) return Uint8Array.of(0b11_1011);
  const blocks = Math.ceil(bytes.length / MOST);
  const stored = new Uint8Array(bytes.length + HEADER * blocks + 1);
  let at = 0;
  for (let from = 0; from < bytes.length; from += MOST) {
    const part = bytes.subarray(from, from + MOST);
    const block = (1 << 19) | ((part.length - 1) << 3);
    const bits = from === 0 ? (block << 4) | 0b1011 : block;
    for (let byte = 0; byte < HEADER; byte++) stored[at++] = (bits >> (8 * byte)) & 0xff;
    stored.set(part, at);
    at += part.length;
  }
  stored[at] = 0b11;
  return stored;
}
