/** {@link "./node.js"} in browsers. */
import type * as Node from "./node.js";
import { storedBrotli } from "./stored-brotli.js";

/**
 * Values of a call, until its first `await`: browsers do not follow calls any further. So a call that waits for itself is refused
 * only before the `await` of the callback; one after it never ends.
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

/** Work begins after an `await`, where no call is present. */
export const inThisContext: typeof Node.inThisContext = (work) => work;

/** Browsers do not compress with brotli: the bytes lie in its format as they are. */
export const compress: typeof Node.compress = async (bytes) => storedBrotli(bytes);

export const decompress: typeof Node.decompress = async (bytes, most) => {
  const { decompress } = await import("brotli/decompress.js");
  const decompressed = decompress(bytes, Math.max(1, most)); // a guess: it returns more if there is more
  if (decompressed.length > most) throw new RangeError("there are more bytes than expected");
  return decompressed;
};
