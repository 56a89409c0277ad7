declare module "hash-wasm/dist/xxhash3.umd.min.js" {
  import type { IHasher } from "hash-wasm";

  const library: { createXXHash3(): Promise<IHasher> };
  export default library;
}

declare module "hash-wasm/dist/xxhash32.umd.min.js" {
  import type { IHasher } from "hash-wasm";

  const library: { createXXHash32(): Promise<IHasher> };
  export default library;
}

declare module "hash-wasm/dist/xxhash64.umd.min.js" {
  import type { IHasher } from "hash-wasm";

  const library: { createXXHash64(): Promise<IHasher> };
  export default library;
}

declare module "hash-wasm/dist/xxhash128.umd.min.js" {
  import type { IHasher } from "hash-wasm";

  const library: { createXXHash128(seedLow?: number, seedHigh?: number): Promise<IHasher> };
  export default library;
}

declare module "snappyjs" {
  const snappy: { uncompress(compressed: Uint8Array, maxLength?: number): Uint8Array };
  export default snappy;
}

declare module "@bokuweb/zstd-wasm" {
  /** Loads the module, once. */
  export function init(): Promise<void>;
  export function createDCtx(): number;
  /** @param options `defaultHeapSize`: the largest size of contents whose frame does not declare it */
  export function decompressUsingDict(
    context: number,
    frame: Uint8Array,
    dictionary: Uint8Array,
    options: { defaultHeapSize: number },
  ): Uint8Array;
}

/** In Node and in browsers; the libraries that the compiler is given do not declare it. */
declare namespace WebAssembly {
  var Module: new (bytes: Uint8Array) => object;
}
