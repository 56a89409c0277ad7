/**
 * The order of the texts of cells: times by the time of day if only that is typed, sizes by bytes, other texts as
 * people count.
 */
import { compareTexts } from "../database/order.js";

const TIME = /^\d{4}-\d\d-\d\d (\d\d:\d\d:\d\d[\d.]*)(?: utc)?$/i;
const CLOCK = /^\d\d:\d\d/;
const SIZE = /^([\d,.]+) ?(bytes?|kb|mb|gb)?$/i;
const UNITS: Readonly<Record<string, number>> = { kb: 1e3, mb: 1e6, gb: 1e9 };

/** Orders two texts of a column. */
export function compareCells(a: string, b: string): number {
  const [sizeA, sizeB] = [bytesIn(a), bytesIn(b)];
  if (sizeA !== undefined && sizeB !== undefined) return sizeA - sizeB;
  if (CLOCK.test(b)) return compareTexts(TIME.exec(a)?.[1] ?? a, b);
  return compareTexts(a, b);
}

/** The bytes of a size; a number without a unit counts as bytes. */
function bytesIn(text: string): number | undefined {
  const [, number = "", unit = ""] = SIZE.exec(text) ?? [];
  const value = Number(number.replaceAll(",", ""));
  return number === "" || !Number.isSafeInteger(Math.trunc(value))
    ? undefined
    : value * (UNITS[unit.toLowerCase()] ?? 1);
}
