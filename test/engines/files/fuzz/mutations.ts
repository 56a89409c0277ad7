/** Random changes of bytes. */

import { hostileNumbers, varint } from "./byte-writer.js";

export type Below = (bound: number) => number;

const INTERESTING = [0, 1, 2, 7, 8, 15, 0x40, 0x7f, 0x80, 0x81, 0xfe, 0xff];

/** One to four changes of the bytes `[start, end)`, in place. */
export function scramble(bytes: Uint8Array, start: number, end: number, below: Below): void {
  if (start >= end) return;
  for (let left = 1 + below(4); left > 0; left--) {
    const at = start + below(end - start);
    const kind = below(6);
    if (kind === 0) bytes[at] = (bytes[at] as number) ^ (1 << below(8));
    else if (kind === 1) bytes[at] = INTERESTING[below(INTERESTING.length)] as number;
    else if (kind === 2) bytes[at] = (bytes[at] as number) + (below(2) === 0 ? 1 : -1);
    else if (kind === 3) {
      const number = varint(hostileNumbers[below(hostileNumbers.length)] as bigint);
      bytes.set(number.subarray(0, end - at), at);
    } else if (kind === 4) {
      const from = start + below(end - start);
      bytes.copyWithin(at, from, Math.min(end, from + 1 + below(30), from + end - at));
    } else bytes.fill(0, at, Math.min(end, at + 1 + below(12)));
  }
}

/** Like `scramble`, but now and then it also leaves out or inserts bytes. */
export function scrambled(bytes: Uint8Array, below: Below): Uint8Array {
  const copy = bytes.slice();
  scramble(copy, 0, copy.length, below);
  if (below(3) > 0) return copy;
  const at = below(copy.length + 1);
  const end = Math.min(copy.length, at + below(10));
  const put = Uint8Array.from({ length: below(2) * below(10) }, () => below(256));
  return Uint8Array.of(...copy.subarray(0, at), ...put, ...copy.subarray(end));
}
