/** Encoding of a storage type for the signatures of actions since core-0.11. */

import { concat } from "../bytes/concat.js";
import { b32, enumOf, option, struct, u64 } from "../codec/index.js";
import {
  EntryRules,
  type SignatureData,
  type StorageType,
  type StorageType011,
  Writers,
  Writers011,
} from "../payloads/storage-type.js";

/** Signature data without the signature. */
const signatureData = option(struct("Nonce", { nonce: u64, signer: option(b32) }));

/** The tags differ from StorageType's. */
const Guard = enumOf("Guard", {
  Public: {},
  Frozen: {},
  User: { owner: b32, signatureData },
  Shared: { writers: Writers011, signatureData },
  SharedMember: { anchor: b32, signatureData },
});

/**
 * A of schema 4.3: Public `00`; Frozen `01`; User `02 ‖ owner b32 ‖ G`; Shared `03 ‖ u32 count ‖ (account b32 ‖ mask
 * u8) of each writer in key order ‖ G`; SharedMember `04 ‖ anchor b32 ‖ G`. G is `00` without signature data, else `01
 * ‖ nonce u64 ‖ (00, or 01 ‖ signer b32)`.
 */
export function guardBytes(type: StorageType011): Uint8Array {
  if (type.kind === "Public" || type.kind === "Frozen") return Guard.encode(type);
  const data = type.signatureData;
  const unsigned = data === null ? null : { nonce: data.nonce, signer: data.signer };
  return Guard.encode({ ...type, signatureData: unsigned });
}

const NOTHING = new Uint8Array();
const account = option(b32);

/** The forms that A may have in core-1.0, the likeliest first. */
export function possibleGuards(type: StorageType): readonly Uint8Array[] {
  if (type.kind === "Public" || type.kind === "Frozen") return [Guard.encode(type)];
  const signed = possibleNonces(type.signatureData);
  if (type.kind === "Shared")
    return signed.map((nonce) => concat(Uint8Array.of(3), Writers.encode(type.writers), nonce));
  if (type.kind === "SharedMember")
    return signed.map((nonce) => concat(Uint8Array.of(4), type.anchor, nonce));
  const { immutable, moderators } = type.rules;
  const rules = EntryRules.encode(type.rules);
  const places: (readonly [Uint8Array, Uint8Array])[] = [
    [NOTHING, rules],
    [rules, NOTHING],
  ];
  if (!immutable && moderators === null) places.push([NOTHING, NOTHING]);
  return places.flatMap(([before, after]) =>
    signed.map((nonce) => concat(Uint8Array.of(2), type.owner, before, nonce, after)),
  );
}

/** The forms of G: with the signature's account and, if it is null, also without it. */
function possibleNonces(data: SignatureData | null): readonly Uint8Array[] {
  if (data === null) return [signatureData.encode(null)];
  const { nonce, signer, onBehalf } = data;
  const plain = signatureData.encode({ nonce, signer });
  return [concat(plain, account.encode(onBehalf)), ...(onBehalf === null ? [plain] : [])];
}
