/** The keys of groups that a database holds: they decrypt the operations on groups. No key leaves this file. */
import { toHex } from "../../bytes/hex.js";
import type { Codec } from "../../codec/index.js";
import { type DecryptedGroupOp, decryptGroupOp } from "../../digests/index.js";
import { type EncryptedGroupOp, GroupOp, GroupOp010 } from "../../payloads/index.js";
import type { AnyGroupOp } from "../sentences/group.js";
import { type NodeReader, rowsOf } from "../tables/rows.js";

/** The keys of all groups. */
export class Keyring {
  readonly #keys: ReadonlyMap<string, Uint8Array>;
  readonly #accounts: boolean;

  private constructor(keys: ReadonlyMap<string, Uint8Array>, accounts: boolean) {
    this.#keys = keys;
    this.#accounts = accounts;
  }

  /** Reads the keys. `accounts`: whether operations are those of core-0.11. */
  static async read(reader: NodeReader, accounts: boolean): Promise<Keyring> {
    const keys = new Map<string, Uint8Array>();
    for await (const rows of rowsOf(reader, "GroupKeyEntry"))
      for (const { key, value } of rows)
        keys.set(
          toHex(key.groupId) + toHex(key.keyId),
          Uint8Array.from(value instanceof Uint8Array ? value : value.groupKey),
        );
    return new Keyring(keys, accounts);
  }

  /** Whether the database has a key of a group, or of the namespace of an open group. */
  has(keyId: Uint8Array, ...groups: readonly Uint8Array[]): boolean {
    return groups.some((group) => this.#keys.has(toHex(group) + toHex(keyId)));
  }

  /** Decrypts an operation with the key that it names: of its group, or of the namespace. */
  decrypt(
    encrypted: EncryptedGroupOp,
    keyId: Uint8Array,
    groupId: Uint8Array,
    namespaceId: Uint8Array,
  ): Promise<DecryptedGroupOp<AnyGroupOp>> {
    const of = (id: Uint8Array): Uint8Array | undefined => this.#keys.get(toHex(id) + toHex(keyId));
    const codec: Pick<Codec<AnyGroupOp>, "decode"> = this.#accounts ? GroupOp : GroupOp010;
    return decryptGroupOp(encrypted, [of(groupId), of(namespaceId)], codec);
  }
}
