/** The order of names, with numbers by value: `a2` before `a10`. */
import type { Named } from "merostore/node";

const ORDER = new Intl.Collator("en", { numeric: true });

/** Orders texts. */
export function compareTexts(a: string, b: string): number {
  return ORDER.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}

type Thing = Pick<Named, "id" | "name">;

/** Orders things by their names. Things without a name come last, by their ids. */
export function compareNamed(a: Thing, b: Thing): number {
  if (a.name === undefined || b.name === undefined)
    return Number(a.name === undefined) - Number(b.name === undefined) || compareTexts(a.id, b.id);
  return compareTexts(a.name, b.name) || compareTexts(a.id, b.id);
}
