/** Operations on groups, decrypted. */

import { type Codec, DecodeError } from "../codec/index.js";
import { append } from "../collections/lists.js";
import { decryptAesGcm, decryptAllAesGcm } from "../crypto/index.js";
import type { EncryptedGroupOp } from "../payloads/index.js";

/** A decrypted operation, or the reason for its absence. */
export type DecryptedGroupOp<Op> =
  | {
      /** The operation. */
      readonly op: Op;
      /** The operation in Borsh. */
      readonly bytes: Uint8Array;
      /** Absent if decryption succeeded. */
      readonly why?: undefined;
    }
  | {
      /** Absent if decryption failed. */
      readonly op: undefined;
      /** The decrypted bytes, if they do not decode. */
      readonly bytes?: Uint8Array | undefined;
      /**
       * The reason: no key is known, the key does not decrypt the bytes, or the decrypted bytes are not an operation.
       */
      readonly why: "no key" | "does not decrypt" | "does not decode";
      /** True if decoding fails at a tag above the known ones: a later version may have written the bytes. */
      readonly mayBeLater?: boolean;
    };

/**
 * Decrypts the operation on a group that an operation on its namespace contains.
 *
 * @param encrypted its nonce and ciphertext
 * @param keys the group's key, and the namespace's, which open groups of core-0.11 use: the first known one decrypts
 * @param codec of the operations of the revision
 */
export async function decryptGroupOp<Op>(
  encrypted: EncryptedGroupOp,
  keys: readonly (Uint8Array | undefined)[],
  codec: Pick<Codec<Op>, "decode">,
): Promise<DecryptedGroupOp<Op>> {
  const key = keys.find((one) => one !== undefined);
  if (key === undefined) return { op: undefined, why: "no key" };
  return decodedGroupOp(await decryptAesGcm({ key, ...encrypted }), codec);
}

/** @internal Decodes decrypted bytes; undefined stands for bytes that did not decrypt. */
export function decodedGroupOp<Op>(
  bytes: Uint8Array | undefined,
  codec: Pick<Codec<Op>, "decode">,
): DecryptedGroupOp<Op> {
  if (bytes === undefined) return { op: undefined, why: "does not decrypt" };
  try {
    return { op: codec.decode(bytes), bytes };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return { op: undefined, why: "does not decode", bytes, mayBeLater: error.mayBeLater };
  }
}

/** @internal An encrypted operation, and its key if it is known. */
export interface SealedGroupOp {
  readonly encrypted: EncryptedGroupOp;
  readonly key: Uint8Array | undefined;
}

/** @internal Decrypts operations in their order, those under the same key together. Equal keys are the same object. */
export async function decryptGroupOps<Op>(
  sealed: readonly SealedGroupOp[],
  codec: Pick<Codec<Op>, "decode">,
): Promise<readonly DecryptedGroupOp<Op>[]> {
  const decrypted = new Array<DecryptedGroupOp<Op>>(sealed.length).fill({ op: undefined, why: "no key" });
  const places = new Map<Uint8Array, number[]>();
  for (const [place, { key }] of sealed.entries()) if (key !== undefined) append(places, key, place);
  for (const [key, ofKey] of places) {
    const encrypted = ofKey.map((place) => (sealed[place] as SealedGroupOp).encrypted);
    const plain = await decryptAllAesGcm(key, encrypted);
    for (const [at, place] of ofKey.entries()) decrypted[place] = decodedGroupOp(plain[at], codec);
  }
  return decrypted;
}
