/** Finds the newest entry of a key in a data block by the restart points, without decoding all entries. */

import { grown, wordAt } from "../../bytes/bytes.js";
import { orderAfter, sharedLength } from "../../bytes/order.js";
import { EntryHeader, readBlockEnd, restartAt } from "./block.js";
import { checkType, EntryType, userKeyLength } from "./internal-key.js";
import { plainValue } from "./plain-value.js";

/** A found entry. Its value is `values[start, end)`. */
export interface BlockEntry {
  readonly type: number;
  readonly sequence: number;
  readonly values: Uint8Array;
  readonly start: number;
  readonly end: number;
}

const header = new EntryHeader();

/** Scratch memory for the compared key. */
let current = new Uint8Array(256);

/**
 * @param bytes the contents of the block
 * @returns the entry; undefined if the block has no entry of this key
 * @throws MalformedBytes, UnsupportedFormat
 */
export function seekInBlock(bytes: Uint8Array, key: Uint8Array): BlockEntry | undefined {
  const { entriesEnd, restarts } = readBlockEnd(bytes, 0, bytes.length);
  let low = 0;
  let high = restarts;
  // The prefix that the keys at both ends share with `key` is not compared again.
  let sharedBelow = 0;
  let sharedAbove = 0;
  // Finds the last restart point before the key. An entry with the key itself is after it, or is the first entry.
  while (low + 1 < high) {
    const middle = (low + high) >>> 1;
    const at = restartAt(bytes, entriesEnd, middle);
    const start = header.read(bytes, at, entriesEnd, 0);
    const end = start + userKeyLength(header.unshared);
    const known = Math.min(sharedBelow, sharedAbove, end - start);
    const shared = sharedLength(bytes, start, end, key, known);
    if (orderAfter(shared, bytes, start, end, key) < 0) {
      low = middle;
      sharedBelow = shared;
    } else {
      high = middle;
      sharedAbove = shared;
    }
  }
  let alike = 0;
  let length = 0;
  for (let at = restarts === 0 ? 0 : restartAt(bytes, entriesEnd, low); at < entriesEnd; ) {
    const start = header.read(bytes, at, entriesEnd, length);
    const { shared, unshared, valueLength } = header;
    length = shared + unshared;
    const keyLength = userKeyLength(length);
    if (length > current.length) current = grown(current, new Uint8Array(2 * length));
    for (let byte = 0; byte < unshared; byte++) current[shared + byte] = bytes[start + byte] as number;
    alike = sharedLength(current, 0, keyLength, key, Math.min(alike, shared, keyLength));
    const order = orderAfter(alike, current, 0, keyLength, key);
    at = start + unshared + valueLength;
    if (order < 0) continue;
    if (order > 0) return undefined;
    const low32 = wordAt(current, keyLength);
    const type = low32 & 0xff;
    const sequence = wordAt(current, length - 4) * 2 ** 24 + (low32 >>> 8);
    const entry = { type, sequence, values: bytes, start: at - valueLength, end: at };
    if (type === EntryType.Value) return entry;
    const within = plainValue(type, bytes, entry.start, entry.end);
    if (within !== undefined) return { ...entry, ...within, type: EntryType.Value };
    checkType(type);
    return entry;
  }
  return undefined;
}
