/** Group keys that were sent to this node, opened with its own secrets. No key leaves this file but as its id or a verdict. */
import { toHex } from "../../bytes/hex.js";
import { equalBytes } from "../../bytes/order.js";
import { decryptAesGcm, derivePublicKey, hkdfSha256, sharedPoint, x25519 } from "../../crypto/index.js";
import { keyId } from "../../digests/index.js";
import type { KeyEnvelope, KeyEnvelope010 } from "../../payloads/index.js";
import { firstValue, hasKind, type NodeReader, rowsOf } from "../tables/rows.js";

/** The secrets that open envelopes. */
export class EnvelopeOpener {
  /** Seeds by public key, 64 hex digits. */
  readonly #seeds = new Map<string, Uint8Array>();
  #device: { readonly id: string; readonly secret: Uint8Array } | undefined;

  /** Reads the secrets of a database. */
  static async read(reader: NodeReader): Promise<EnvelopeOpener> {
    const opener = new EnvelopeOpener();
    const identity = await firstValue(reader, "NodeIdentity", {});
    if (identity !== undefined) opener.#addSeed(identity.privateKey);
    for await (const rows of rowsOf(reader, "NamespaceIdentity"))
      for (const { value } of rows) opener.#addSeed(value.privateKey);
    if (!hasKind(reader, "NodeIdentity"))
      for await (const rows of rowsOf(reader, "ContextIdentity"))
        for (const { value } of rows) if (value.privateKey !== null) opener.#addSeed(value.privateKey);
    const device = await firstValue(reader, "NodeDeviceIdentity", {});
    if (device !== undefined)
      opener.#device = { id: toHex(device.deviceId), secret: Uint8Array.from(device.kemSecret) };
    return opener;
  }

  /** The id of the key in an envelope, 64 hex digits; undefined if the database has no secret that opens it. */
  async keyIdIn(envelope: KeyEnvelope | KeyEnvelope010): Promise<string | undefined> {
    const key = await this.#open(envelope);
    return key && toHex(keyId(key));
  }

  /** Returns whether an envelope has this key; undefined if the database has no secret that opens it. */
  async holds(envelope: KeyEnvelope | KeyEnvelope010, groupKey: Uint8Array): Promise<boolean | undefined> {
    const key = await this.#open(envelope);
    return key && equalBytes(key, groupKey);
  }

  #addSeed(seed: Uint8Array): void {
    this.#seeds.set(toHex(derivePublicKey(seed)), Uint8Array.from(seed));
  }

  async #open(envelope: KeyEnvelope | KeyEnvelope010): Promise<Uint8Array | undefined> {
    const { nonce, ciphertext } = envelope;
    const key = this.#keyOf(envelope);
    return key && decryptAesGcm({ key, nonce, ciphertext });
  }

  /** The key that an envelope is encrypted under (schema 4.8). */
  #keyOf({ recipient, ...envelope }: KeyEnvelope | KeyEnvelope010): Uint8Array | undefined {
    if (recipient instanceof Uint8Array) {
      const seed = this.#seeds.get(toHex(recipient));
      return seed && sharedPoint(seed, (envelope as Pick<KeyEnvelope010, "ephemeralPk">).ephemeralPk);
    }
    if (recipient.kind === "Member") {
      const seed = this.#seeds.get(toHex(recipient.identity));
      const secret = seed && sharedPoint(seed, recipient.ephemeralPk);
      return secret && hkdfSha256({ key: secret, info: MEMBER, length: 32 });
    }
    const secret =
      toHex(recipient.device) === this.#device?.id
        ? x25519(this.#device.secret, recipient.ephemeralPk)
        : undefined;
    return secret && hkdfSha256({ key: secret, info: DEVICE, length: 32 });
  }
}

const MEMBER = new TextEncoder().encode("calimero.sharedkey.aead.v2");
const DEVICE = new TextEncoder().encode("calimero.sharedkey.x25519.aead.v1");
