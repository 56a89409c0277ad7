/** AES-256-GCM with a nonce of 12 bytes and a tag of 16 bytes at the end of the ciphertext. */

import { invalidArgument } from "../errors.js";
import { decryptWithNode, NodeAesGcmKey } from "./node-aes-gcm-key.js";
import { nodeCrypto } from "./node-crypto.js";
import type { AesGcmKey, SealedValue } from "./sealed-value.js";
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

const EMPTY = new Uint8Array(0);

/**
 * Decrypts a ciphertext. Returns undefined if the tag does not match: the key, the nonce or the bytes differ from the
 * encryption's.
 * @throws MerostoreError `INVALID_ARGUMENT` for a key or nonce of another length
 */
export async function decryptAesGcm(input: AesGcmInput): Promise<Uint8Array | undefined> {
  const { key, associatedData = EMPTY, ...value } = input;
  if (key.length !== 32 || value.nonce.length !== 12) {
    throw invalidArgument("AES-256-GCM takes a key of 32 bytes and a nonce of 12");
  }
  return nodeCrypto === undefined
    ? decryptWithWeb(input)
    : decryptWithNode(nodeCrypto, key, { ...value, associatedData });
}

/** Decrypts with Web Crypto, outside Node. Exported for tests. */
export async function decryptWithWeb({
  key,
  associatedData = EMPTY,
  ...value
}: AesGcmInput): Promise<Uint8Array | undefined> {
  const [plain] = await new WebAesGcmKey(key).decrypt([{ ...value, associatedData }]);
  return plain;
}

/**
 * Returns a key of 32 bytes that encrypts and decrypts many values: with `node:crypto` in Node, Web Crypto elsewhere.
 * The results are the same. The bytes may be overwritten afterwards.
 *
 * @param web use Web Crypto in Node too
 */
export function aesGcmKey(bytes: Uint8Array, web = false): AesGcmKey {
  return nodeCrypto === undefined || web ? new WebAesGcmKey(bytes) : new NodeAesGcmKey(nodeCrypto, bytes);
}

/** With at least this many values, the tables of a key cost less than a cipher for each value. */
const MANY = 16;

/**
 * Decrypts values under one key, 32 bytes, in their order; undefined where the tag does not match. In Node, a
 * batch takes a fifth of the time of {@link decryptAesGcm} for each.
 */
export async function decryptAllAesGcm(
  key: Uint8Array,
  values: readonly Pick<SealedValue, "nonce" | "ciphertext">[],
): Promise<readonly (Uint8Array | undefined)[]> {
  if (values.length < MANY)
    return Promise.all(values.map(({ nonce, ciphertext }) => decryptAesGcm({ key, nonce, ciphertext })));
  const prepared = aesGcmKey(key);
  try {
    return await prepared.decrypt(
      values.map(({ nonce, ciphertext }) => ({ nonce, ciphertext, associatedData: EMPTY })),
    );
  } finally {
    prepared.wipe();
  }
}
