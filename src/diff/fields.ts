/** Which fields of two values differ. */

import type { Json } from "../codec/index.js";

/** A field that differs. `a` or `b` is absent where that side has none. */
export interface FieldDifference {
  /** `metadata.updatedAt`, `dagHeads[1]`; empty for the value itself. */
  readonly path: string;
  /** The field in the first side's value, in its JSON form. */
  readonly a?: Json;
  /** The field in the second side's value, in its JSON form. */
  readonly b?: Json;
}

/** Both sides of a field; undefined where a side has none. */
interface Both {
  readonly a: Json | undefined;
  readonly b: Json | undefined;
}

/** More of them say no more. */
const MOST = 50;

/**
 * The fields in which two JSON forms differ, at the deepest level where both have the same shape.
 *
 * @param shown what is told of each side: the same values, perhaps with secrets redacted
 */
export function differingFields(a: Json, b: Json, shown: Both = { a, b }): FieldDifference[] {
  const found: FieldDifference[] = [];
  visit({ a, b }, shown, "", found);
  return found;
}

function visit({ a, b }: Both, shown: Both, path: string, found: FieldDifference[]): void {
  if (found.length === MOST || a === b) return;
  const [partsA, partsB] = [partsOf(a), partsOf(b)];
  // What is redacted as a whole is not opened: its fields may have telling names, those of a map for example.
  const [shownA, shownB] = [partsOf(shown.a), partsOf(shown.b)];
  const alike = Array.isArray(a) === Array.isArray(b);
  if (
    !alike ||
    partsA === undefined ||
    partsB === undefined ||
    shownA === undefined ||
    shownB === undefined
  ) {
    const sides = {
      ...(shown.a !== undefined && { a: shown.a }),
      ...(shown.b !== undefined && { b: shown.b }),
    };
    if (JSON.stringify(a) !== JSON.stringify(b)) found.push({ path, ...sides });
    return;
  }
  for (const name of new Set([...Object.keys(partsA), ...Object.keys(partsB)])) {
    const at = Array.isArray(a) ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`;
    const inside = { a: part(shownA, name), b: part(shownB, name) };
    visit({ a: part(partsA, name), b: part(partsB, name) }, inside, at, found);
  }
}

type Parts = { readonly [name: string]: Json };

function partsOf(value: Json | undefined): Parts | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return value as Parts;
}

/** A part that is there: a key of a map may be called as what all objects have, `constructor` for one. */
function part(parts: Parts, name: string): Json | undefined {
  return Object.hasOwn(parts, name) ? parts[name] : undefined;
}
