/** Finds a thing by a word in several nodes: a name may be known to only one of them. */
import { isMerostoreError } from "../../errors.js";
import type { Named, ThingKind } from "../../node/index.js";
import type { OpenSide } from "./options.js";

/**
 * Returns the thing of the first node that knows the name or the id.
 *
 * @throws MerostoreError as the first node does, if none knows it
 */
export async function meantBy(
  sides: readonly Pick<OpenSide, "node">[],
  typed: string,
  kinds: readonly ThingKind[],
): Promise<Named> {
  let refusal: unknown;
  for (const { node } of sides)
    try {
      return await node.resolve(typed, kinds);
    } catch (error) {
      if (!isMerostoreError(error, "UNKNOWN_NAME")) throw error;
      refusal ??= error;
    }
  throw refusal;
}
