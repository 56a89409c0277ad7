/**
 * Small byte arrays cut from shared slabs. A typed array of its own costs about 450 ns as soon as it is over 64 bytes;
 * a view into a slab costs about 60 ns. A slab lives as long as one of its pieces does.
 */
const SLAB_SIZE = 16 * 1024;

let slab = new Uint8Array(SLAB_SIZE);
let used = 0;

/** `size` zero bytes that nobody else uses. */
export function allocate(size: number): Uint8Array {
  if (size > SLAB_SIZE / 4) return new Uint8Array(size);
  // A slab of length 0 was transferred elsewhere with one of its pieces.
  if (used + size > SLAB_SIZE || slab.length === 0) {
    slab = new Uint8Array(SLAB_SIZE);
    used = 0;
  }
  const piece = new Uint8Array(slab.buffer, used, size);
  used += size;
  return piece;
}
