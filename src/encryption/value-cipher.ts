/** Encryption and decryption of values with one master key. */

import { append } from "../collections/lists.js";
import type { SealedValue } from "../crypto/index.js";
import { invalidArgument } from "../errors.js";
import { Pause } from "../pause.js";
import { DerivedKeys } from "./derived-keys.js";
import { checkKeyForWriting, type MasterKey, masterKeyBytes } from "./master-key.js";
import {
  associatedDataOf,
  ENCRYPTION_OVERHEAD,
  type EncryptionRule,
  encryptionRules,
  HEADER_SIZE,
  WRITTEN_VERSION,
} from "./rule.js";

/** A decrypted value. */
export interface DecryptedValue {
  /** The plain bytes. Values that were decrypted together are views of one buffer. */
  readonly plain: Uint8Array;
  /** The version of its key, 0 to 255. */
  readonly version: number;
  /** The rule of its associated data. */
  readonly rule: EncryptionRule;
}

/** Options of a {@link ValueCipher}. */
export interface CipherOptions {
  /** Use Web Crypto in Node too. */
  readonly web?: boolean | undefined;
}

type Maybe<T> = T | Promise<T>;
type Decrypted = (DecryptedValue | undefined)[];

/**
 * Encrypts and decrypts values as nodes do at rest.
 *
 * @example
 * import { openCipher } from "merostore/engine";
 *
 * const cipher = await openCipher(new Uint8Array(48).fill(0x42));
 * const stored = await cipher.encrypt([new Uint8Array(16)], "core-0.11");
 * const [found] = await cipher.decrypt(stored);
 * console.log(found?.plain.length, found?.rule); // 16 core-0.11
 * cipher.wipe();
 */
export class ValueCipher {
  readonly #keys: DerivedKeys;
  readonly #checkKey: (rule: EncryptionRule) => void;
  /** The rule of the last success, which is tried first. */
  #likely: EncryptionRule = "core-0.11";

  /** @internal */
  constructor(master: Uint8Array, { web = false }: CipherOptions = {}) {
    this.#keys = new DerivedKeys(master, web);
    this.#checkKey = (rule) => checkKeyForWriting(master, rule);
  }

  /**
   * Decrypts stored values in their order; undefined for values that the key does not decrypt. Returns a promise
   * outside Node.
   */
  decrypt(
    values: readonly Uint8Array[],
  ): (DecryptedValue | undefined)[] | Promise<(DecryptedValue | undefined)[]> {
    const found: Decrypted = new Array(values.length).fill(undefined);
    const left = [...values.keys()].filter((at) => (values[at] as Uint8Array).length >= ENCRYPTION_OVERHEAD);
    const rules = encryptionRules.toSorted((a) => (a === this.#likely ? -1 : 1));
    return this.#try(values, left, rules, found);
  }

  /**
   * Returns the stored form of values. Each has its own random nonce. The version is 1 unless given.
   *
   * @throws MerostoreError `INVALID_ARGUMENT` for a key of less than 32 bytes with the rule of core-0.11, an unknown
   *   rule or an impossible version; `CLOSED` after `wipe`
   */
  async encrypt(
    values: readonly Uint8Array[],
    rule: EncryptionRule,
    version = WRITTEN_VERSION,
  ): Promise<Uint8Array[]> {
    if (!encryptionRules.includes(rule))
      throw invalidArgument(`the rule must be one of ${encryptionRules.join(", ")}`);
    this.checkForWriting(rule);
    const key = this.#keys.of(version);
    const stored: Uint8Array[] = [];
    const pause = new Pause();
    for (let from = 0; from < values.length; from += NONCES) {
      const part = values.slice(from, from + NONCES);
      const nonces = globalThis.crypto.getRandomValues(new Uint8Array(part.length * NONCE_SIZE));
      const sealed = part.map((plain, at) => {
        const whole = new Uint8Array(plain.length + ENCRYPTION_OVERHEAD);
        whole[0] = version;
        whole.set(nonces.subarray(at * NONCE_SIZE, (at + 1) * NONCE_SIZE), 1);
        return seal(key.encrypt(whole.subarray(1, HEADER_SIZE), plain, associatedDataOf(rule, whole)), whole);
      });
      for (const one of sealed) stored.push(one instanceof Promise ? await one : one);
      await pause.ifLong();
    }
    return stored;
  }

  /** Throws INVALID_ARGUMENT for a key that is too short for the rule. */
  checkForWriting(rule: EncryptionRule): void {
    this.#checkKey(rule);
  }

  /** Overwrites the keys. The cipher cannot be used afterwards. */
  wipe(): void {
    this.#keys.wipe();
  }

  #try(
    values: readonly Uint8Array[],
    left: readonly number[],
    [rule, ...others]: readonly EncryptionRule[],
    found: Decrypted,
  ): Maybe<Decrypted> {
    if (rule === undefined || left.length === 0) return found;
    const done = this.#tryRule(values, left, rule, found);
    const goOn = (): Maybe<Decrypted> => {
      const rest = left.filter((at) => found[at] === undefined);
      if (rest.length < left.length) this.#likely = rule;
      return this.#try(values, rest, others, found);
    };
    return done === undefined ? goOn() : done.then(goOn);
  }

  /** Decrypts values with one rule, version by version. Returns a promise only if needed. */
  #tryRule(
    values: readonly Uint8Array[],
    left: readonly number[],
    rule: EncryptionRule,
    found: Decrypted,
  ): Promise<unknown> | undefined {
    const waiting: Promise<void>[] = [];
    for (const [version, places] of byVersion(values, left)) {
      const note = (plain: readonly (Uint8Array | undefined)[]): void => {
        for (const [at, bytes] of plain.entries())
          if (bytes !== undefined) found[places[at] as number] = { plain: bytes, version, rule };
      };
      const decrypted = this.#keys
        .of(version)
        .decrypt(places.map((at) => partsOf(values[at] as Uint8Array, rule)));
      if (decrypted instanceof Promise) waiting.push(decrypted.then(note));
      else note(decrypted);
    }
    return waiting.length === 0 ? undefined : Promise.all(waiting);
  }
}

const NONCE_SIZE = HEADER_SIZE - 1;
/** The number of values to encrypt, and of nonces to make, before a possible pause. */
const NONCES = 128;

/**
 * Returns a cipher for a master key.
 *
 * @throws MerostoreError `INVALID_ARGUMENT`, and errors of the function that returns the key
 */
export async function openCipher(masterKey: MasterKey, options: CipherOptions = {}): Promise<ValueCipher> {
  return new ValueCipher(await masterKeyBytes(masterKey), options);
}

function partsOf(value: Uint8Array, rule: EncryptionRule): SealedValue {
  return {
    nonce: value.subarray(1, HEADER_SIZE),
    ciphertext: value.subarray(HEADER_SIZE),
    associatedData: associatedDataOf(rule, value),
  };
}

function seal(sealed: Maybe<Uint8Array>, whole: Uint8Array): Maybe<Uint8Array> {
  if (sealed instanceof Promise) return sealed.then((bytes) => seal(bytes, whole));
  whole.set(sealed, HEADER_SIZE);
  return whole;
}

function byVersion(values: readonly Uint8Array[], places: readonly number[]): Map<number, number[]> {
  const versions = new Map<number, number[]>();
  for (const at of places) append(versions, (values[at] as Uint8Array)[0] as number, at);
  return versions;
}
