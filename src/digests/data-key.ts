import { hkdfSha256 } from "../crypto/index.js";
import { MerostoreError } from "../errors.js";
import { utf8 } from "./utf8.js";

/**
 * The AES-256 key under which values are encrypted at rest: HKDF-SHA256 of the master key, salt `calimero-dek-v` and
 * the version as a decimal, info `encryption` (schema 6). 32 bytes, both revisions. Versions begin at 1 and fit a byte.
 * @throws MerostoreError `INVALID_ARGUMENT` for an empty master key or a version outside 0 to 255
 */
export function dataEncryptionKey(masterKey: Uint8Array, version: number): Uint8Array {
  if (masterKey.length === 0) throw new MerostoreError("INVALID_ARGUMENT", "the master key is empty");
  if (!Number.isInteger(version) || version < 0 || version > 255) {
    throw new MerostoreError("INVALID_ARGUMENT", "the version of a data key must be a number from 0 to 255");
  }
  const salt = utf8(`calimero-dek-v${version}`);
  return hkdfSha256({ key: masterKey, salt, info: utf8("encryption"), length: 32 });
}
