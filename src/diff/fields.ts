/** Comparison of two values field by field. */

import type { Json } from "../codec/index.js";

/** A field that differs. `a` or `b` is absent if that side does not have the field. */
export interface FieldDifference {
  /** `metadata.updatedAt`, `dagHeads[1]`; empty for the value itself. */
  readonly path: string;
  /** The field in the first side's value, in its JSON form. */
  readonly a?: Json;
  /** The field in the second side's value, in its JSON form. */
  readonly b?: Json;
}

/** Both sides of a field; undefined if a side does not have it. */
interface Both {
  readonly a: Json | undefined;
  readonly b: Json | undefined;
}

/** The most fields that are listed for a row. */
const MOST = 50;

/**
 * Returns the differing fields of two JSON forms. It descends as long as both have the same shape.
 *
 * @internal
 * @param shown the values to report for each side: the same values, perhaps with secrets redacted
 */
export function differingFields(a: Json, b: Json, shown: Both = { a, b }): DifferingFields {
  const found: DifferingFields = { fields: [], more: 0 };
  visit({ a, b }, shown, "", found);
  return found;
}

/** The fields that differ. */
export interface DifferingFields {
  /** The first 50. */
  readonly fields: FieldDifference[];
  /** The number of the others. */
  more: number;
}

function visit({ a, b }: Both, shown: Both, path: string, found: DifferingFields): void {
  if (a === b) return;
  const [partsA, partsB] = [partsOf(a), partsOf(b)];
  // The fields of a redacted value are not listed: their names may reveal secrets, the keys of a map for example.
  const [shownA, shownB] = [partsOf(shown.a), partsOf(shown.b)];
  const alike = Array.isArray(a) === Array.isArray(b);
  if (
    !alike ||
    partsA === undefined ||
    partsB === undefined ||
    shownA === undefined ||
    shownB === undefined
  ) {
    if (JSON.stringify(a) === JSON.stringify(b)) return;
    if (found.fields.length === MOST) found.more++;
    else
      found.fields.push({
        path,
        ...(shown.a !== undefined && { a: shown.a }),
        ...(shown.b !== undefined && { b: shown.b }),
      });
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

/** Own properties only: a key of a map may be `constructor`, which all objects inherit. */
function part(parts: Parts, name: string): Json | undefined {
  return Object.hasOwn(parts, name) ? parts[name] : undefined;
}
