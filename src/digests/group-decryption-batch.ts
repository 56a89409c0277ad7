/** Many operations on groups, decrypted together. */
import type { Codec } from "../codec/index.js";
import { decryptAllAesGcm } from "../crypto/index.js";
import type { EncryptedGroupOp } from "../payloads/index.js";
import { type DecryptedGroupOp, decodedGroupOp } from "./group-decryption.js";

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
  for (const [place, { key }] of sealed.entries()) {
    if (key === undefined) continue;
    const ofKey = places.get(key);
    if (ofKey === undefined) places.set(key, [place]);
    else ofKey.push(place);
  }
  for (const [key, ofKey] of places) {
    const encrypted = ofKey.map((place) => (sealed[place] as SealedGroupOp).encrypted);
    const plain = await decryptAllAesGcm(key, encrypted);
    for (const [at, place] of ofKey.entries()) decrypted[place] = decodedGroupOp(plain[at], codec);
  }
  return decrypted;
}
