/** Which fields of two values differ. */

import type { Json } from "../codec/index.js";

/** A field that differs. `a` or `b` is absent where that side has none. */
export interface FieldDifference {
  /** `metadata.updatedAt`, `dagHeads[1]`; empty for the value itself. */
  readonly path: string;
  readonly a?: Json;
  readonly b?: Json;
}

/** More of them say no more. */
const MOST = 50;

/**
 * The fields in which two JSON forms differ, at the deepest level where both have the same shape.
 *
 * @param shown what is told of each side: the same values, perhaps with secrets redacted
 */
export function differingFields(
  a: Json | undefined,
  b: Json | undefined,
  shown: { readonly a: Json | undefined; readonly b: Json | undefined } = { a, b },
): FieldDifference[] {
  const found: FieldDifference[] = [];
  visit(a, b, shown.a, shown.b, "", found);
  return found;
}

function visit(
  a: Json | undefined,
  b: Json | undefined,
  shownA: Json | undefined,
  shownB: Json | undefined,
  path: string,
  found: FieldDifference[],
): void {
  if (found.length === MOST || a === b) return;
  const [partsA, partsB] = [partsOf(a), partsOf(b)];
  if (partsA === undefined || partsB === undefined || Array.isArray(a) !== Array.isArray(b)) {
    found.push({
      path,
      ...(shownA !== undefined && { a: shownA }),
      ...(shownB !== undefined && { b: shownB }),
    });
    return;
  }
  for (const name of new Set([...Object.keys(partsA), ...Object.keys(partsB)])) {
    const at = Array.isArray(a) ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`;
    // Where a whole value is redacted, so is each of its parts.
    const [insideA, insideB] = [partsOf(shownA), partsOf(shownB)];
    visit(
      partsA[name],
      partsB[name],
      insideA === undefined ? shownA : insideA[name],
      insideB === undefined ? shownB : insideB[name],
      at,
      found,
    );
  }
}

function partsOf(value: Json | undefined): { readonly [name: string]: Json } | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return value as { readonly [name: string]: Json };
}
