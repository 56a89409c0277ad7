/** Operations on groups, decrypted. */
import { type Codec, DecodeError } from "../codec/index.js";
import { decryptAesGcm } from "../crypto/index.js";
import type { EncryptedGroupOp } from "../payloads/index.js";

/** A decrypted operation with its bytes in Borsh, or why there is none. */
export type DecryptedGroupOp<Op> =
  | { readonly op: Op; readonly bytes: Uint8Array }
  | { readonly op: undefined; readonly why: "no key" | "does not decrypt" }
  | { readonly op: undefined; readonly why: "does not decode"; readonly bytes: Uint8Array };

/**
 * Decrypts the operation on a group that an operation on its namespace contains (schema 4.8).
 *
 * @param keys the group's key, and the namespace's, which open groups of core-0.11 use: the first one that is known
 */
export async function decryptGroupOp<Op>(
  encrypted: EncryptedGroupOp,
  keys: readonly (Uint8Array | undefined)[],
  codec: Pick<Codec<Op>, "decode">,
): Promise<DecryptedGroupOp<Op>> {
  const key = keys.find((one) => one !== undefined);
  if (key === undefined) return { op: undefined, why: "no key" };
  const bytes = await decryptAesGcm({ key, ...encrypted });
  if (bytes === undefined) return { op: undefined, why: "does not decrypt" };
  try {
    return { op: codec.decode(bytes), bytes };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return { op: undefined, why: "does not decode", bytes };
  }
}
