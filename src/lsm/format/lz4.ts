/** Decompresses LZ4 blocks, and checks every length and offset. */

import { MalformedBytes } from "./byte-cursor.js";

/** A length of this value in a token continues in the bytes after it. */
const CONTINUED = 15;

/** The shortest copy: the length in a token plus so many bytes is the length of the copy. */
const SHORTEST_COPY = 4;

/** From this length on, the JavaScript engine's copying is faster than a loop. */
const LONG = 32;

const NOTHING = new Uint8Array(0);

/**
 * Expands a block. It consists of sequences, each with literals and a copy of earlier output; the last sequence has no
 * copy.
 *
 * @param size bytes of the output
 * @param dictionary bytes that precede the output: copies may begin in them
 * @throws MalformedBytes
 */
export function expandLz4(source: Uint8Array, size: number, dictionary: Uint8Array = NOTHING): Uint8Array {
  const target = new Uint8Array(size);
  const end = source.length;
  let at = 0;
  let to = 0;
  while (at < end) {
    const token = source[at++] as number;
    let literals = token >>> 4;
    if (literals === CONTINUED) {
      let byte: number;
      do {
        byte = source[at++] ?? 0;
        literals += byte;
      } while (byte === 255);
    }
    if (literals > end - at || literals > size - to) throw malformed();
    if (literals < LONG) for (let left = literals; left > 0; left--) target[to++] = source[at++] as number;
    else {
      target.set(source.subarray(at, at + literals), to);
      at += literals;
      to += literals;
    }
    if (at === end) {
      if (to !== size) break;
      return target;
    }
    const back = (source[at] as number) | ((source[at + 1] ?? 0) << 8);
    at += 2;
    let length = token & 15;
    if (length === CONTINUED) {
      let byte: number;
      do {
        byte = source[at++] ?? 0;
        length += byte;
      } while (byte === 255);
    }
    length += SHORTEST_COPY;
    if (back === 0 || back > to + dictionary.length || length > size - to) throw malformed();
    let from = to - back;
    if (from < 0) {
      const start = dictionary.length + from;
      const taken = Math.min(length, -from);
      target.set(dictionary.subarray(start, start + taken), to);
      to += taken;
      length -= taken;
      from = 0;
    }
    if (length >= LONG && length <= to - from) {
      target.copyWithin(to, from, from + length);
      to += length;
    } else for (; length > 0; length--) target[to++] = target[from++] as number; // the copy may read its own output
  }
  throw malformed();
}

function malformed(): MalformedBytes {
  return new MalformedBytes("a length or offset in a block is impossible");
}
