/**
 * The parts of Node that the Ledger uses. Bundlers for browsers take `browser.ts` in its place: see `browser` in
 * package.json.
 */
import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";

/** Values that belong to a call, and to all calls that it makes, also later. */
export const CallContext = AsyncLocalStorage;

/** Returns a function that runs in the context of this call. */
export const inThisContext = <F extends () => void>(work: F): F => AsyncResource.bind(work);

const COMPRESSION = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: 22 },
};
const compressed = promisify(brotliCompress);
const decompressed = promisify(brotliDecompress);

/** Compresses bytes with brotli. */
export function compress(bytes: Uint8Array): Promise<Uint8Array> {
  return compressed(bytes, COMPRESSION);
}

/** Decompresses bytes of brotli. @throws Error if they are damaged, or if the result is larger than `most` */
export function decompress(bytes: Uint8Array, most: number): Promise<Uint8Array> {
  return decompressed(bytes, { maxOutputLength: Math.max(1, most) });
}
