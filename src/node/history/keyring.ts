/** The keys of groups that a database holds: they decrypt the operations on groups. No key leaves this file. */
import { toHex } from "../../bytes/hex.js";
import { DecodeError } from "../../codec/index.js";
import { decryptAesGcm } from "../../crypto/index.js";
import { type EncryptedGroupOp, GroupOp, GroupOp010 } from "../../payloads/index.js";
import type { AnyGroupOp } from "../sentences/group.js";
import { type NodeReader, rowsOf } from "../tables/rows.js";

/** Why an operation cannot be read, or the operation, with its bytes in Borsh. */
export type Decrypted =
  | { readonly op: AnyGroupOp; readonly bytes: Uint8Array }
  | { readonly op: undefined; readonly why: "no key" | "does not decrypt" };

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
  async decrypt(
    encrypted: EncryptedGroupOp,
    keyId: Uint8Array,
    groupId: Uint8Array,
    namespaceId: Uint8Array,
  ): Promise<Decrypted> {
    const of = (id: Uint8Array): Uint8Array | undefined => this.#keys.get(toHex(id) + toHex(keyId));
    const key = of(groupId) ?? of(namespaceId);
    if (key === undefined) return { op: undefined, why: "no key" };
    const bytes = await decryptAesGcm({ key, ...encrypted });
    if (bytes === undefined) return { op: undefined, why: "does not decrypt" };
    try {
      return { op: (this.#accounts ? GroupOp : GroupOp010).decode(bytes), bytes };
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return { op: undefined, why: "does not decrypt" };
    }
  }
}
