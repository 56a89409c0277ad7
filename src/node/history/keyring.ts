/** The keys of groups that a database holds: they decrypt the operations on groups. No key leaves this file. */
import { toHex } from "../../bytes/hex.js";
import { DecodeError, ReadFailure } from "../../codec/index.js";
import { type DecryptedGroupOp, decryptGroupOps } from "../../digests/index.js";
import {
  type EncryptedGroupOp,
  GroupOp010,
  GroupOp011,
  readableGroupOp,
  readableRootOp,
  SignedNamespaceOp,
} from "../../payloads/index.js";
import type { AnyGroupOp } from "../sentences/group.js";
import type { AnyRootOp } from "../sentences/root.js";
import { type NodeReader, rowsOf } from "../tables/rows.js";
import type { OperationRevision } from "./stored.js";

/** An operation on a group, encrypted. Ids are 64 hex digits. */
export interface EncryptedOperation {
  readonly encrypted: EncryptedGroupOp;
  readonly keyId: string;
  readonly group: string;
}

/** Keys by their ids, then by the groups that have them, 64 hex digits each. */
type Keys = ReadonlyMap<string, ReadonlyMap<string, Uint8Array>>;

/** The operations on groups of each revision. */
const GROUP_OPS: Readonly<Record<OperationRevision, { decode(bytes: Uint8Array): AnyGroupOp }>> = {
  "core-0.10": GroupOp010,
  "core-0.11": GroupOp011,
  "core-1.0": readableGroupOp,
};

/** The operation inside a whole signed one, which a relay passed on. */
const wholeRootOp = {
  decode(bytes: Uint8Array): AnyRootOp {
    const { op } = SignedNamespaceOp.decode(bytes);
    if (op.kind === "Root") return op.value;
    throw new DecodeError("SignedNamespaceOp", new ReadFailure(0, "an operation in clear", "another one"));
  },
};

/** The keys of all groups. */
export class Keyring {
  readonly #keys: Keys;
  readonly #revision: OperationRevision;

  private constructor(keys: Keys, revision: OperationRevision) {
    this.#keys = keys;
    this.#revision = revision;
  }

  /** Reads the keys, for operations of a revision. */
  static async read(reader: NodeReader, revision: OperationRevision): Promise<Keyring> {
    const keys = new Map<string, Map<string, Uint8Array>>();
    for await (const rows of rowsOf(reader, "GroupKeyEntry"))
      for (const { key, value } of rows) {
        const id = toHex(key.keyId);
        const ofId = keys.get(id) ?? new Map<string, Uint8Array>();
        keys.set(id, ofId);
        ofId.set(toHex(key.groupId), Uint8Array.from(value instanceof Uint8Array ? value : value.groupKey));
      }
    return new Keyring(keys, revision);
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
    return decryptGroupOps(this.#withKeys(operations, namespace), GROUP_OPS[this.#revision]);
  }

  /**
   * Decrypts a sealed operation on a namespace with the key that it names.
   *
   * @param group the group that has the key: the namespace, or one of its groups
   */
  async unseal(
    { encrypted, keyId }: { readonly encrypted: EncryptedGroupOp; readonly keyId: Uint8Array },
    group: Uint8Array,
    isWhole: boolean,
  ): Promise<DecryptedGroupOp<AnyRootOp>> {
    const sealed = this.#withKeys([{ encrypted, keyId: toHex(keyId), group: toHex(group) }], toHex(group));
    const [decrypted] = await decryptGroupOps(sealed, isWhole ? wholeRootOp : readableRootOp);
    return decrypted as DecryptedGroupOp<AnyRootOp>;
  }

  #withKeys(operations: readonly EncryptedOperation[], namespace: string) {
    return operations.map(({ encrypted, keyId, group }) => {
      const ofId = this.#keys.get(keyId);
      return { encrypted, key: ofId?.get(group) ?? ofId?.get(namespace) };
    });
  }
}
