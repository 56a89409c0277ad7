/** The newest entry of one key in a data block: found by its restart points, without decoding the other entries. */

import { compareRanges } from "../../../bytes/order.js";
import { EntryHeader, readBlockEnd, restartAt, wordAt } from "./block.js";
import { MalformedBytes } from "./byte-cursor.js";
import { checkType, TRAILER } from "./internal-key.js";

/** An entry that was found: its value is `values[start, end)`. */
export interface Found {
  readonly type: number;
  readonly sequence: number;
  readonly values: Uint8Array;
  readonly start: number;
  readonly end: number;
}

const header = new EntryHeader();

/** The key that is compared, put together here. Nothing of it is kept. */
let current = new Uint8Array(256);

/**
 * @param bytes the contents of the block
 * @returns the entry; undefined when the block has none of this key
 * @throws MalformedBytes, UnsupportedFormat
 */
export function seekInBlock(bytes: Uint8Array, key: Uint8Array): Found | undefined {
  const { entriesEnd, restarts } = readBlockEnd(bytes, 0, bytes.length);
  let low = 0;
  let high = restarts;
  // The last restart point before the key: an entry with the key itself is after it, or there is none before.
  while (low + 1 < high) {
    const middle = (low + high) >>> 1;
    const at = restartAt(bytes, entriesEnd, middle);
    const start = header.read(bytes, at, entriesEnd, 0);
    const end = start + header.unshared - TRAILER;
    if (end < start) throw new MalformedBytes("an internal key is shorter than 8 bytes");
    if (compareRanges(bytes, start, end, key, 0, key.length) < 0) low = middle;
    else high = middle;
  }
  let length = 0;
  for (let at = restarts === 0 ? 0 : restartAt(bytes, entriesEnd, low); at < entriesEnd; ) {
    const start = header.read(bytes, at, entriesEnd, length);
    const { shared, unshared, valueLength } = header;
    length = shared + unshared;
    if (length < TRAILER) throw new MalformedBytes("an internal key is shorter than 8 bytes");
    if (length > current.length) current = longer(current, length);
    for (let byte = 0; byte < unshared; byte++) current[shared + byte] = bytes[start + byte] as number;
    const order = compareRanges(current, 0, length - TRAILER, key, 0, key.length);
    at = start + unshared + valueLength;
    if (order < 0) continue;
    if (order > 0) return undefined;
    const low32 = wordAt(current, length - TRAILER);
    const type = low32 & 0xff;
    checkType(type);
    const sequence = wordAt(current, length - 4) * 2 ** 24 + (low32 >>> 8);
    return { type, sequence, values: bytes, start: at - valueLength, end: at };
  }
  return undefined;
}

function longer(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(2 * length);
  copy.set(bytes);
  return copy;
}
