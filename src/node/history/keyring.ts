/** The keys of groups that a database holds: they decrypt the operations on groups. No key leaves this file. */
import { toHex } from "../../bytes/hex.js";
import type { Codec } from "../../codec/index.js";
import { type DecryptedGroupOp, decryptGroupOps } from "../../digests/index.js";
import { type EncryptedGroupOp, GroupOp010, GroupOp011 } from "../../payloads/index.js";
import type { AnyGroupOp } from "../sentences/group.js";
import { type NodeReader, rowsOf } from "../tables/rows.js";

/** An operation on a group, encrypted. Ids are 64 hex digits. */
export interface EncryptedOperation {
  readonly encrypted: EncryptedGroupOp;
  readonly keyId: string;
  readonly group: string;
}

/** Keys by their ids, then by the groups that have them, 64 hex digits each. */
type Keys = ReadonlyMap<string, ReadonlyMap<string, Uint8Array>>;

/** The keys of all groups. */
export class Keyring {
  readonly #keys: Keys;
  readonly #accounts: boolean;

  private constructor(keys: Keys, accounts: boolean) {
    this.#keys = keys;
    this.#accounts = accounts;
  }

  /** Reads the keys. `accounts`: whether operations are those of core-0.11. */
  static async read(reader: NodeReader, accounts: boolean): Promise<Keyring> {
    const keys = new Map<string, Map<string, Uint8Array>>();
    for await (const rows of rowsOf(reader, "GroupKeyEntry"))
      for (const { key, value } of rows) {
        const id = toHex(key.keyId);
        const ofId = keys.get(id) ?? new Map<string, Uint8Array>();
        keys.set(id, ofId);
        ofId.set(toHex(key.groupId), Uint8Array.from(value instanceof Uint8Array ? value : value.groupKey));
      }
    return new Keyring(keys, accounts);
  }

  /** Returns whether the database has a key of a group, or of the namespace of an open group. */
  has(keyId: Uint8Array, ...groups: readonly Uint8Array[]): boolean {
    const ofId = this.#keys.get(toHex(keyId));
    return ofId !== undefined && groups.some((group) => ofId.has(toHex(group)));
  }

  /** Decrypts an operation with the key that it names: of its group, or of the namespace. */
  async decrypt(
    encrypted: EncryptedGroupOp,
    keyId: Uint8Array,
    groupId: Uint8Array,
    namespaceId: Uint8Array,
  ): Promise<DecryptedGroupOp<AnyGroupOp>> {
    const one = { encrypted, keyId: toHex(keyId), group: toHex(groupId) };
    const [decrypted] = await this.decryptAll([one], toHex(namespaceId));
    return decrypted as DecryptedGroupOp<AnyGroupOp>;
  }

  /** Decrypts operations of a namespace, in their order: many at once cost far less than each alone. */
  decryptAll(
    operations: readonly EncryptedOperation[],
    namespace: string,
  ): Promise<readonly DecryptedGroupOp<AnyGroupOp>[]> {
    const codec: Pick<Codec<AnyGroupOp>, "decode"> = this.#accounts ? GroupOp011 : GroupOp010;
    const sealed = operations.map(({ encrypted, keyId, group }) => {
      const ofId = this.#keys.get(keyId);
      return { encrypted, key: ofId?.get(group) ?? ofId?.get(namespace) };
    });
    return decryptGroupOps(sealed, codec);
  }
}
