/** AES-256-GCM with a nonce of 12 bytes and a tag of 16 bytes at the end of the ciphertext. */

import { copyBytes } from "../bytes/bytes.js";
import { MerostoreError } from "../errors.js";
import { NodeAesGcmKey } from "./node-aes-gcm-key.js";
import { nodeCrypto } from "./node-crypto.js";
import type { AesGcmKey } from "./sealed-value.js";
import { WebAesGcmKey } from "./web-aes-gcm-key.js";

/** The input of {@link decryptAesGcm}. */
export interface AesGcmInput {
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** 12 bytes. */
  readonly nonce: Uint8Array;
  /** The encrypted bytes and the tag. */
  readonly ciphertext: Uint8Array;
  /** Authenticated but not encrypted; empty by default. */
  readonly associatedData?: Uint8Array;
}

const TAG_SIZE = 16;
const EMPTY = new Uint8Array(0);

/**
 * Decrypts a ciphertext. Returns undefined if the tag does not match: the key, nonce or bytes are not those of the
 * encryption.
 * @throws MerostoreError `INVALID_ARGUMENT` for a key or nonce of another length
 */
export async function decryptAesGcm(input: AesGcmInput): Promise<Uint8Array | undefined> {
  const { key, nonce, ciphertext } = input;
  if (key.length !== 32 || nonce.length !== 12) {
    throw new MerostoreError("INVALID_ARGUMENT", "AES-256-GCM takes a key of 32 bytes and a nonce of 12");
  }
  if (ciphertext.length < TAG_SIZE) return undefined;
  return nodeCrypto === undefined ? decryptWithWeb(input) : decryptWithNode(nodeCrypto, input);
}

function decryptWithNode(
  { createDecipheriv }: NonNullable<typeof nodeCrypto>,
  { key, nonce, ciphertext, associatedData = EMPTY }: AesGcmInput,
): Uint8Array | undefined {
  const decipher = createDecipheriv("aes-256-gcm", key, nonce);
  decipher.setAAD(associatedData).setAuthTag(ciphertext.subarray(-TAG_SIZE));
  const plaintext = decipher.update(ciphertext.subarray(0, -TAG_SIZE));
  try {
    decipher.final();
  } catch {
    return undefined; // the tag does not match
  }
  return new Uint8Array(plaintext.buffer, plaintext.byteOffset, plaintext.length);
}

/** Decrypts with Web Crypto, outside Node. Exported for tests. */
export async function decryptWithWeb({
  key,
  nonce,
  ciphertext,
  associatedData = EMPTY,
}: AesGcmInput): Promise<Uint8Array | undefined> {
  const { subtle } = globalThis.crypto;
  const secret = await subtle.importKey("raw", copyBytes(key), "AES-GCM", false, ["decrypt"]);
  const algorithm = { name: "AES-GCM", iv: copyBytes(nonce), additionalData: copyBytes(associatedData) };
  try {
    return new Uint8Array(await subtle.decrypt(algorithm, secret, copyBytes(ciphertext)));
  } catch {
    return undefined;
  }
}

/**
 * Returns a key of 32 bytes that encrypts and decrypts many values: with `node:crypto` in Node, Web Crypto elsewhere. The
 * results are the same. The bytes may be overwritten afterwards.
 *
 * @param web use Web Crypto in Node too
 */
export function aesGcmKey(bytes: Uint8Array, web = false): AesGcmKey {
  return nodeCrypto === undefined || web ? new WebAesGcmKey(bytes) : new NodeAesGcmKey(nodeCrypto, bytes);
}
