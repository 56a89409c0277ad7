/** Databases with damage of every kind, alone and together. */

import { type DamageCase, damageCases, type Target } from "../../engines/files/damage/cases.js";
import { randomNumbers } from "../../support/random-values.js";
import type { Files } from "./oracle.js";

/** One damaged database. */
export interface RecoveryCase {
  readonly what: string;
  readonly files: Files;
}

/** Files that name the other files and the families. */
const GUIDES = /^(?:CURRENT|MANIFEST-|OPTIONS-)/;

/**
 * Makes the cases: each kind of damage to each sort of bytes; each file removed; the files that name others removed
 * together, alone and with each other kind of damage.
 */
export function recoveryCases(
  targets: readonly Target[],
  names: readonly string[],
  most: number,
  seed: number,
): RecoveryCase[] {
  const random = randomNumbers(seed);
  const alone = damageCases(targets, most, seed);
  const guides = names.filter((name) => GUIDES.test(name));
  const without = (removed: readonly string[]): [string, undefined][] =>
    removed.map((name) => [name, undefined]);
  const sets = [
    guides,
    guides.filter((name) => !name.startsWith("OPTIONS")),
    guides.filter((name) => name === "CURRENT"),
    guides.filter((name) => name.startsWith("MANIFEST")),
  ];
  const cases: RecoveryCase[] = alone.map((one) => ({
    what: nameOf(one),
    files: new Map([[one.file, one.bytes]]),
  }));
  for (const name of names) cases.push({ what: `without ${name}`, files: new Map(without([name])) });
  for (const set of sets)
    if (set.length > 1) cases.push({ what: `without ${set.join(", ")}`, files: new Map(without(set)) });
  const others = alone.filter(({ file }) => !GUIDES.test(file));
  for (const [at, one] of others.entries()) {
    if (at % 4 !== 0) continue;
    const set = sets[Math.floor(random() * sets.length)] as readonly string[];
    cases.push({
      what: `${nameOf(one)}, without ${set.join(", ")}`,
      files: new Map<string, Uint8Array | undefined>([...without(set), [one.file, one.bytes]]),
    });
    const second = others[Math.floor(random() * others.length)] as DamageCase;
    if (second.file === one.file) continue;
    cases.push({
      what: `${nameOf(one)}, and ${nameOf(second)}`,
      files: new Map([
        [one.file, one.bytes],
        [second.file, second.bytes],
      ]),
    });
  }
  return cases;
}

function nameOf({ kind, at, file, what }: DamageCase): string {
  return `${kind} at byte ${at} of ${file} (${what})`;
}
