/** Explanations without the rows that every operation of a signer sets. */
import type { Explanation } from "./replay/index.js";

/** The nonces that a signer has used: they say nothing about the member. */
const NONCES: ReadonlySet<string> = new Set(["GroupLocalGovNonce", "GroupLocalGovNonceWindow"]);

/** The explanations without nonces; those that name no other row are left out. */
export function withoutNonces(explanations: readonly Explanation[]): readonly Explanation[] {
  return explanations
    .map((one) => ({
      ...one,
      set: one.set.filter((kind) => !NONCES.has(kind)),
      removed: one.removed.filter((kind) => !NONCES.has(kind)),
    }))
    .filter(({ set, removed }) => set.length + removed.length > 0);
}
