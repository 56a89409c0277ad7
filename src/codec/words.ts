/**
 * A u64 as two halves of 32 bits, shared by reader and writer. This is far faster than eight bytes or shifts of
 * bigints.
 */
export const words = new Uint32Array(2);
/** The same eight bytes as a bigint. */
export const whole = new BigUint64Array(words.buffer);

whole[0] = 1n;
/** Index of the low half in `words`, which depends on the byte order of the machine. */
export const LOW: 0 | 1 = words[0] === 1 ? 0 : 1;
/** Index of the high half. */
export const HIGH: 0 | 1 = LOW === 0 ? 1 : 0;
