/**
 * Multiples of one point of the curve. Most signatures in a database are by few keys: with a table of the key's point
 * a verification outside Node takes a third of the time.
 */
import { Point } from "@noble/ed25519";

/** Bits of a digit of a factor. */
const BITS = 4;
/** Digits of a factor below 2^256. */
const DIGITS = 256 / BITS;
/** The largest digit. */
const LARGEST = 2 ** BITS - 1;
/** The table takes as long as two multiplications without it. */
const WITHOUT_TABLE = 2;

/** A point that is multiplied again and again. */
export class PointMultiples {
  readonly #point: Point;
  /** `d · 16^n` times the point for each digit `d` above 0 and each place `n`: 960 points, about 300 kB. */
  #table: readonly Point[] | undefined;
  #uses = 0;

  constructor(point: Point) {
    this.#point = point;
  }

  /**
   * Returns the point multiplied by a factor from 0 to the group's order. Not in constant time: the factor must be
   * public.
   */
  times(factor: bigint): Point {
    if (this.#uses++ < WITHOUT_TABLE) return this.#point.multiply(factor, false);
    this.#table ??= tableOf(this.#point);
    let sum = Point.ZERO;
    for (let place = 0, rest = factor; rest > 0n; place++, rest >>= BigInt(BITS)) {
      const digit = Number(rest & BigInt(LARGEST));
      if (digit > 0) sum = sum.add(this.#table[place * LARGEST + digit - 1] as Point);
    }
    return sum;
  }
}

function tableOf(point: Point): readonly Point[] {
  const table: Point[] = [];
  let base = point;
  for (let place = 0; place < DIGITS; place++) {
    let multiple = base;
    for (let digit = 1; digit <= LARGEST; digit++, multiple = multiple.add(base)) table.push(multiple);
    base = multiple;
  }
  return table;
}
