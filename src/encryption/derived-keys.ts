/** The keys that encrypt values: one for each version, derived from the master key. */
import { isByteArray } from "../bytes/bytes.js";
import { type AesGcmKey, aesGcmKey, hkdfSha256 } from "../crypto/index.js";
import { invalidArgument, MerostoreError } from "../errors.js";
import { checkArgument } from "../options.js";

const text = new TextEncoder();
const INFO = text.encode("encryption");

/**
 * Returns the key of a version, 32 bytes: HKDF-SHA-256 of the master key with the salt `calimero-dek-v` ‖ version in
 * decimal and the info `encryption`.
 *
 * @param version 0 to 255; nodes write 1
 * @throws MerostoreError `INVALID_ARGUMENT` for another version
 */
export function deriveKey(masterKey: Uint8Array, version: number): Uint8Array {
  checkArgument("deriveKey", masterKey, isByteArray);
  if (!Number.isInteger(version) || version < 0 || version > 255)
    throw invalidArgument("the version of a key is a whole number from 0 to 255");
  return hkdfSha256({
    key: masterKey,
    salt: text.encode(`calimero-dek-v${version}`),
    info: INFO,
    length: 32,
  });
}

/** The keys of a master key by version, at most 256, derived when they are needed. */
export class DerivedKeys {
  readonly #master: Uint8Array;
  readonly #web: boolean;
  readonly #keys = new Map<number, AesGcmKey>();
  #isWiped = false;

  /**
   * @param master `wipe` overwrites it
   * @param web use Web Crypto in Node too
   */
  constructor(master: Uint8Array, web = false) {
    this.#master = master;
    this.#web = web;
  }

  /** Returns the key of a version. @throws MerostoreError `CLOSED` after `wipe` */
  of(version: number): AesGcmKey {
    if (this.#isWiped) throw new MerostoreError("CLOSED", "the master key was overwritten");
    const found = this.#keys.get(version);
    if (found !== undefined) return found;
    const bytes = deriveKey(this.#master, version);
    const key = aesGcmKey(bytes, this.#web);
    bytes.fill(0);
    this.#keys.set(version, key);
    return key;
  }

  /** Overwrites the master key and its derived keys. */
  wipe(): void {
    this.#isWiped = true;
    this.#master.fill(0);
    for (const key of this.#keys.values()) key.wipe();
    this.#keys.clear();
  }
}
