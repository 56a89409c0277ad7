/** Times of hybrid logical clocks. */

/**
 * Milliseconds since 1970 of a time of a hybrid logical clock (NTP64: seconds in the high 32 bits, a fraction below).
 */
export function millisOfNtp64(time: bigint): number {
  return Number(time >> 32n) * 1000 + Math.floor((Number(time & 0xffff_ffffn) * 1000) / 2 ** 32);
}
