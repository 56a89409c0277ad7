/** The actors that make the operations of a random history, and the operations' parts. */
import { createCipheriv, createDecipheriv } from "node:crypto";
import { fromHex, toHex } from "../../../../src/bytes/hex.js";
import { derivePublicKey, deriveX25519PublicKey, sign } from "../../../../src/crypto/index.js";
import { accountId, deviceCertDigest } from "../../../../src/digests/index.js";
import type { DeviceCert } from "../../../../src/payloads/index.js";
import { randomNumbers } from "../../../support/random-values.js";

/** Random choices from a seed. */
export class Chance {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = randomNumbers(seed);
  }

  below(count: number): number {
    return Math.floor(this.#next() * count);
  }

  is(probability: number): boolean {
    return this.#next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256));
  }

  id(): string {
    return toHex(this.bytes(32));
  }
}

/** A maker of operations. Ids are 64 hex digits. */
export interface Actor {
  readonly seed: Uint8Array;
  readonly rootSeed: Uint8Array;
  readonly kemSecret: Uint8Array;
  readonly publicKey: string;
  /** The actor's account; before core-0.11 its public key. */
  readonly id: string;
  readonly genesis: { readonly version: number; readonly rootSignPk: Uint8Array };
  readonly cert: DeviceCert;
}

export function makeActor(chance: Chance, accounts: boolean): Actor {
  const [seed, rootSeed, kemSecret] = [chance.bytes(32), chance.bytes(32), chance.bytes(32)];
  const genesis = { version: 2, rootSignPk: derivePublicKey(rootSeed) };
  const publicKey = toHex(derivePublicKey(seed));
  const cert = makeCert(
    chance,
    { genesis, rootSeed },
    { signPk: fromHex(publicKey), kemPk: deriveX25519PublicKey(kemSecret) },
  );
  return {
    seed,
    rootSeed,
    kemSecret,
    publicKey,
    id: accounts ? toHex(accountId(genesis)) : publicKey,
    genesis,
    cert,
  };
}

/** A valid certificate of a device under the first root key of an account. */
export function makeCert(
  chance: Chance,
  { genesis, rootSeed }: Pick<Actor, "genesis" | "rootSeed">,
  keys: Pick<DeviceCert, "signPk" | "kemPk">,
): DeviceCert {
  const unsigned = {
    account: accountId(genesis),
    device: chance.bytes(32),
    ...keys,
    keyEpoch: 0,
    deviceEpoch: 0,
  };
  return { ...unsigned, signature: sign(rootSeed, deviceCertDigest(unsigned)) };
}

/** AES-256-GCM with the tag at the end. */
export function encrypt(key: Uint8Array, nonce: Uint8Array, plain: Uint8Array) {
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const body = [cipher.update(plain), cipher.final()];
  return { nonce, ciphertext: new Uint8Array(Buffer.concat([...body, cipher.getAuthTag()])) };
}

/** AES-256-GCM; the tag is the last 16 bytes. */
export function decrypt(
  key: Uint8Array,
  { nonce, ciphertext }: { readonly nonce: Uint8Array; readonly ciphertext: Uint8Array },
): Uint8Array {
  const decipher = createDecipheriv("aes-256-gcm", key, nonce);
  decipher.setAuthTag(ciphertext.subarray(-16));
  return new Uint8Array(Buffer.concat([decipher.update(ciphertext.subarray(0, -16)), decipher.final()]));
}
