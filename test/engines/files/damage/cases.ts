/** Cases of damage: other bytes in a file. They are the same for the same seed and files. */

import { randomNumbers } from "../../../support/random-values.js";
import type { Region } from "./regions.js";

export const kinds = ["flip", "zero", "swap", "cut"] as const;
export type Kind = (typeof kinds)[number];

/** One damaged file. */
export interface DamageCase {
  readonly file: string;
  readonly kind: Kind;
  readonly what: string;
  /** The first damaged byte. */
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** A file whose bytes are to be damaged. */
export interface Target {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly regions: readonly Region[];
}

/**
 * Makes up to `most` cases, no two of the same kind in the same region. Each kind of damage to each sort of region
 * comes first, then more cases in sorts with more regions.
 */
export function damageCases(targets: readonly Target[], most: number, seed: number): DamageCase[] {
  const random = randomNumbers(seed);
  const piles = new Map<string, (() => DamageCase | undefined)[]>();
  for (const target of targets) {
    for (const region of target.regions) {
      for (const kind of kinds) {
        const pile = `${kind} ${region.what}`;
        const make = () => damage(target, region, kind, random);
        piles.set(pile, [...(piles.get(pile) ?? []), make]);
      }
    }
  }
  const cases: DamageCase[] = [];
  const left = [...piles.values()];
  while (left.length > 0 && cases.length < most) {
    for (let at = left.length - 1; at >= 0 && cases.length < most; at--) {
      const pile = left[at] as (() => DamageCase | undefined)[];
      const [make] = pile.splice(Math.floor(random() * pile.length), 1);
      if (pile.length === 0) left.splice(at, 1);
      const made = make?.();
      if (made !== undefined) cases.push(made);
    }
  }
  return cases;
}

/** Undefined when the region has no bytes that this kind changes. */
function damage(target: Target, region: Region, kind: Kind, random: () => number): DamageCase | undefined {
  const { name, bytes } = target;
  const below = (bound: number) => Math.floor(random() * bound);
  const { start, end, what } = region;
  const at = start + below(end - start);
  const done = (damaged: Uint8Array, first: number): DamageCase => ({
    file: name,
    kind,
    what,
    at: first,
    bytes: damaged,
  });
  if (kind === "cut") {
    // The first byte of a region is as likely as all others together.
    const first = random() < 0.5 ? start : at;
    return done(bytes.slice(0, first), first);
  }
  const damaged = bytes.slice();
  if (kind === "flip") {
    damaged[at] = (bytes[at] as number) ^ (1 << below(8));
    return done(damaged, at);
  }
  if (kind === "zero") {
    const from = random() < 0.3 ? start : at;
    damaged.fill(0, from, random() < 0.5 ? end : Math.min(end, from + 1 + below(40)));
  } else {
    const other = start + below(end - start);
    damaged[at] = bytes[other] as number;
    damaged[other] = bytes[at] as number;
  }
  const first = damaged.findIndex((byte, index) => byte !== bytes[index]);
  return first < 0 ? undefined : done(damaged, first);
}
