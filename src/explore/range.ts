/** The header `Range` of requests for a part of a file. */

/** Bytes of a file from `start` on, before `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads `bytes=a-b`, `bytes=a-` or `bytes=-n`. A part that begins in the file ends with it at the latest.
 *
 * @param size bytes of the file
 * @returns undefined for several ranges, for another form, and for a part that does not begin in the file
 */
export function readRange(header: string, size: number): ByteRange | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header) ?? [];
  if (first === undefined || last === undefined) return undefined;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? undefined : { start: size - length, end: size };
  }
  const start = Number(first);
  const end = last === "" ? size : Math.min(Number(last) + 1, size);
  return start < end ? { start, end } : undefined;
}
