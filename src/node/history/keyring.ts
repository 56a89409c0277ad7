/** The keys of groups that a database holds: they decrypt the operations on groups. No key leaves this file. */
import { toHex } from "../../bytes/hex.js";
import { DecodeError, ReadFailure } from "../../codec/index.js";
import { type DecryptedGroupOp, decodedGroupOp, decryptGroupOps } from "../../digests/index.js";
import {
  type EncryptedGroupOp,
  type NamespaceOp,
  type OperationLayouts,
  type ReadableOperation,
  SignedNamespaceOp,
} from "../../payloads/index.js";
import type { AnyGroupOp } from "../sentences/group.js";
import type { AnyRootOp } from "../sentences/root.js";
import { type NodeReader, rowsOf } from "../tables/rows.js";
import { operationsOf } from "./stored.js";

/** An operation on a group, encrypted. Ids are 64 hex digits. */
export interface EncryptedOperation {
  readonly encrypted: EncryptedGroupOp;
  readonly keyId: string;
  readonly group: string;
}

/** Keys by their ids, then by the groups that have them, 64 hex digits each. */
type Keys = ReadonlyMap<string, ReadonlyMap<string, Uint8Array>>;

/** An operation on a namespace, sealed. Ids are 64 hex digits. */
export interface SealedOperation extends EncryptedOperation {
  /** True if it is a whole signed operation, which a relay passed on. */
  readonly isWhole: boolean;
}

/** A part of a signed operation that is an operation on a namespace, sealed. */
type SealedPart = Exclude<NamespaceOp, { readonly kind: "Root" | "Group" }>;

/** A sealed operation on a namespace, with the group that has its key. */
export function sealedIn(part: SealedPart, namespaceId: Uint8Array): SealedOperation {
  const groupId = part.kind === "RootSealedForGroup" ? part.groupId : namespaceId;
  const { encrypted, keyId } = part;
  return { encrypted, keyId: toHex(keyId), group: toHex(groupId), isWhole: part.kind === "RootRelaySealed" };
}

/** An operation on a namespace that was sealed. */
export interface UnsealedOp {
  readonly op: AnyRootOp;
  /** The key that signed the operation which a relay passed on; undefined for one of the signer's own. */
  readonly author: Uint8Array | undefined;
}

/** The operation inside a whole signed one. */
const wholeRootOp = {
  decode(bytes: Uint8Array): UnsealedOp {
    const { op, signer } = SignedNamespaceOp.decode(bytes);
    if (op.kind === "Root") return { op: op.value, author: signer };
    throw new DecodeError("SignedNamespaceOp", new ReadFailure(0, "an operation in clear", "another one"));
  },
};

/** The keys of all groups. */
export class Keyring {
  readonly #keys: Keys;
  readonly #layouts: OperationLayouts;

  private constructor(keys: Keys, layouts: OperationLayouts) {
    this.#keys = keys;
    this.#layouts = layouts;
  }

  /** Reads the keys. */
  static async read(reader: NodeReader): Promise<Keyring> {
    const keys = new Map<string, Map<string, Uint8Array>>();
    for await (const rows of rowsOf(reader, "GroupKeyEntry"))
      for (const { key, value } of rows) {
        const id = toHex(key.keyId);
        const ofId = keys.get(id) ?? new Map<string, Uint8Array>();
        keys.set(id, ofId);
        ofId.set(toHex(key.groupId), Uint8Array.from(value instanceof Uint8Array ? value : value.groupKey));
      }
    return new Keyring(keys, operationsOf(reader));
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
    const codec = this.#layouts.group as ReadableOperation<AnyGroupOp>;
    return decryptGroupOps(this.#withKeys(operations, namespace), codec);
  }

  /** Decrypts operations on a namespace with the keys of their groups, or of the namespace, in their order. */
  async unsealAll(
    sealed: readonly SealedOperation[],
    namespace: string,
  ): Promise<readonly DecryptedGroupOp<UnsealedOp>[]> {
    const layout = this.#layouts.root as ReadableOperation<AnyRootOp>;
    const plain = { decode: (bytes: Uint8Array) => ({ op: layout.decode(bytes), author: undefined }) };
    const opened = await decryptGroupOps(this.#withKeys(sealed, namespace), { decode: (bytes) => bytes });
    return sealed.map(({ isWhole }, at) => {
      const one = opened[at] as DecryptedGroupOp<Uint8Array>;
      return one.op === undefined ? one : decodedGroupOp<UnsealedOp>(one.op, isWhole ? wholeRootOp : plain);
    });
  }

  #withKeys(operations: readonly EncryptedOperation[], namespace: string) {
    return operations.map(({ encrypted, keyId, group }) => {
      const ofId = this.#keys.get(keyId);
      return { encrypted, key: ofId?.get(group) ?? ofId?.get(namespace) };
    });
  }
}
