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

declare module "snappyjs" {
  const snappy: { uncompress(compressed: Uint8Array, maxLength?: number): Uint8Array };
  export default snappy;
}

declare module "lz4js" {
  const lz4: {
    /** Returns the number of bytes written to `target`. */
    decompressBlock(
      source: Uint8Array,
      target: Uint8Array,
      sourceStart: number,
      sourceLength: number,
      targetStart: number,
    ): number;
  };
  export default lz4;
}
