/** Encoding of who may write an entity, for the action signatures of core-0.11. */
import { b32, enumOf, option, struct, u64 } from "../codec/index.js";
import { type StorageType011, Writers011 } from "../payloads/storage-type.js";

/** Signature data without the signature. */
const signatureData = option(struct("Nonce", { nonce: u64, signer: option(b32) }));

/** The tags are not those of StorageType. */
const Guard = enumOf("Guard", {
  Public: {},
  Frozen: {},
  User: { owner: b32, signatureData },
  Shared: { writers: Writers011, signatureData },
  SharedMember: { anchor: b32, signatureData },
});

/**
 * A of schema 4.3: Public `00`; Frozen `01`; User `02 ‖ owner b32 ‖ G`; Shared `03 ‖ u32 count ‖ (account b32 ‖ mask u8)
 * of each writer in key order ‖ G`; SharedMember `04 ‖ anchor b32 ‖ G`. G is `00` without signature data, else
 * `01 ‖ nonce u64 ‖ (00, or 01 ‖ signer b32)`.
 */
export function guardBytes(type: StorageType011): Uint8Array {
  if (type.kind === "Public" || type.kind === "Frozen") return Guard.encode(type);
  const data = type.signatureData;
  const unsigned = data === null ? null : { nonce: data.nonce, signer: data.signer };
  return Guard.encode({ ...type, signatureData: unsigned });
}
