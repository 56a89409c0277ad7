/** The key of a device: it signs packs and rosters, and others seal secrets for it. */
import {
  aesGcmKey,
  concat,
  copyBytes,
  derivePublicKey,
  fromHex,
  hkdfSha256,
  invalidArgument,
  isBytes,
  isPublicKey,
  sharedPoint,
  sign,
  toHex,
} from "merostore/internal";

/** The key of a device, made by {@link newDevice}. */
export interface DeviceKey {
  /** The secret of the device, 64 hex digits. It does not leave the device. */
  readonly secret: string;
  /** The public key of the device, 64 hex digits: an admin adds it. */
  readonly key: string;
}

/** A device of a folder. */
export interface FolderDevice {
  /** The secret of the device, as {@link newDevice} makes it: 32 bytes or 64 hex digits. */
  readonly secret: Uint8Array | string;
  /**
   * The id of a roster that an admin has told this device: 64 hex digits. The device refuses a folder without that
   * roster.
   */
  readonly roster: string;
}

export const SECRET_SIZE = 32;
const NONCE_SIZE = 12;
const encoder = new TextEncoder();

/**
 * Makes the key of a new device, for {@link FolderCloudOptions.device}.
 *
 * @example
 * const { secret, key } = newDevice();
 * console.log(`Keep ${secret.length} digits here, and give ${key} to an admin.`);
 */
export function newDevice(): DeviceKey {
  const secret = crypto.getRandomValues(new Uint8Array(SECRET_SIZE));
  return { secret: toHex(secret), key: toHex(derivePublicKey(secret)) };
}

/** @throws MerostoreError INVALID_ARGUMENT, without the value */
export function secretBytes(secret: unknown): Uint8Array {
  if (isBytes(secret) && secret.length === SECRET_SIZE) return copyBytes(secret);
  if (isId(secret)) return fromHex(secret);
  throw invalidArgument("the secret of a device is 32 bytes or 64 hex digits");
}

/** Returns whether a value is 64 hex digits. */
export function isId(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

/** Returns whether a value is the public key of a device. */
export function isDeviceKey(value: unknown): value is string {
  return isId(value) && isPublicKey(fromHex(value));
}

/** A device whose secret is known: this one. */
export class OwnDevice {
  readonly #secret: Uint8Array;
  /** 64 hex digits. */
  readonly key: string;

  constructor(secret: unknown) {
    this.#secret = secretBytes(secret);
    this.key = toHex(derivePublicKey(this.#secret));
  }

  /** The signature of a message, 64 bytes. */
  sign(message: Uint8Array): Uint8Array {
    return sign(this.#secret, message);
  }

  /** Seals a secret that this device and the other one can open. */
  seal(other: string, secret: Uint8Array): Promise<Uint8Array> {
    return seal(this.#shared(other), other, secret);
  }

  /** Opens a secret that another device has sealed for this one. Undefined if it was not sealed so. */
  async open(other: string, sealed: Uint8Array): Promise<Uint8Array | undefined> {
    return open(this.#shared(other), this.key, sealed);
  }

  /** The shared secret of two devices: each computes it from its own secret and the other's key. */
  #shared(other: string): Uint8Array {
    const point = sharedPoint(this.#secret, fromHex(other));
    if (point === undefined) throw invalidArgument(`${other} is not the key of a device`);
    return point;
  }
}

/** Seals a content under a secret, for a purpose. */
export async function seal(secret: Uint8Array, purpose: string, content: Uint8Array): Promise<Uint8Array> {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_SIZE));
  return concat(nonce, await keyFor(secret, purpose).encrypt(nonce, content, new Uint8Array(0)));
}

/** Opens a sealed content. Undefined if it was not sealed under this secret for this purpose. */
export async function open(
  secret: Uint8Array,
  purpose: string,
  sealed: Uint8Array,
): Promise<Uint8Array | undefined> {
  const [content] = await keyFor(secret, purpose).decrypt([
    {
      nonce: sealed.subarray(0, NONCE_SIZE),
      ciphertext: sealed.subarray(NONCE_SIZE),
      associatedData: new Uint8Array(0),
    },
  ]);
  return content && copyBytes(content);
}

function keyFor(secret: Uint8Array, purpose: string) {
  const info = encoder.encode(`merostore ledger devices ${purpose}`);
  return aesGcmKey(hkdfSha256({ key: secret, info, length: SECRET_SIZE }));
}
