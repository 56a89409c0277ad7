/** The operations of a namespace, read once and kept packed, so that they can be put in order and applied. */
import { fromHex, toHex } from "../../bytes/hex.js";
import { ID_BYTES, IdTable } from "../../bytes/id-table.js";
import type { KeyEnvelope, KeyEnvelope010 } from "../../payloads/index.js";
import { GroupOp, GroupOp010, RootOp, RootOp010 } from "../../payloads/index.js";
import { Keyring } from "../history/keyring.js";
import { actsByAccounts, type StoredOperation, storedOperations } from "../history/stored.js";
import type { AnyGroupOp } from "../sentences/group.js";
import type { AnyRootOp } from "../sentences/root.js";
import type { OwnNode } from "../tables/own.js";
import { Pause } from "../tables/pause.js";
import type { NodeReader } from "../tables/rows.js";
import { Packed, type Place } from "./packed.js";

/** A change of a group's key that an operation brings. */
export interface Rotation {
  /** Id of the new key, 64 hex digits. */
  readonly keyId: string;
  /** The new key for this node; undefined where it is not among the recipients. */
  readonly envelope: KeyEnvelope | KeyEnvelope010 | undefined;
}

/** Whether what an operation did can be read, and where it comes from: `local` ones were never sent to other nodes. */
export type ReplayState = "root" | "group" | "local" | "encrypted" | "undecryptable" | "skeleton";

/** An operation that is replayed. */
export interface ReplayOperation {
  /** Its number among those of the replay. */
  readonly number: number;
  readonly state: ReplayState;
  /** The signer's Ed25519 public key, 64 hex digits. */
  readonly signer: string;
  readonly nonce: bigint;
  /** The group that it is about, 64 hex digits; undefined for one on the namespace. */
  readonly group: string | undefined;
  /** Id of the key that it is encrypted under, 64 hex digits; undefined for one in clear. */
  readonly keyId: string | undefined;
  /** Numbers of the operations that it follows; they may be missing. */
  readonly parents: readonly number[];
  readonly rotation: Rotation | undefined;
  /** The operation in Borsh; undefined where it cannot be read. */
  body: Place | undefined;
  /** The sequence of its row in the group's own log; undefined where it has none. */
  logged: bigint | undefined;
}

/** The operations of a namespace. */
export class Operations {
  readonly #ids = new IdTable();
  readonly #bodies = new Packed();
  /** By number; undefined for one that is only named by others. */
  readonly list: (ReplayOperation | undefined)[] = [];
  /** Numbers by the first bytes of the signature. */
  readonly bySignature = new Map<string, number>();
  /** Operations of `list`, without those that were never sent to other nodes. */
  size = 0;
  readonly accounts: boolean;

  private constructor(accounts: boolean) {
    this.accounts = accounts;
  }

  /** Reads and decrypts the operations of a namespace. */
  static async read(reader: NodeReader, namespace: string, own: OwnNode): Promise<Operations> {
    const operations = new Operations(actsByAccounts(reader));
    const keyring = await Keyring.read(reader, operations.accounts);
    const namespaceId = fromHex(namespace);
    const texts = new Map<string, string>();
    /** One string for each id, however often it occurs. */
    const idOf = (bytes: Uint8Array): string => {
      const text = toHex(bytes);
      const known = texts.get(text);
      if (known === undefined) texts.set(text, text);
      return known ?? text;
    };
    const pause = new Pause();
    for await (const rows of storedOperations(reader, namespaceId)) {
      for (const stored of rows) await operations.#add(stored, { keyring, namespaceId, idOf, own });
      await pause.ifLong();
    }
    return operations;
  }

  /** The id of an operation of the namespace's log, 64 hex digits. */
  id(number: number): string {
    return toHex(this.#ids.bytes.subarray(number * ID_BYTES, (number + 1) * ID_BYTES));
  }

  /** The number of an operation; undefined if the namespace's log does not have it. */
  numberOf(id: string): number | undefined {
    const number = this.#ids.find(fromHex(id));
    return this.list[number]?.number;
  }

  /** What an operation on the namespace says. */
  rootOp(operation: ReplayOperation): AnyRootOp {
    return (this.accounts ? RootOp : RootOp010).decode(this.bytes(operation));
  }

  /** What an operation on a group says. */
  groupOp(operation: ReplayOperation): AnyGroupOp {
    return (this.accounts ? GroupOp : GroupOp010).decode(this.bytes(operation));
  }

  /** The operation in Borsh. */
  bytes({ body }: ReplayOperation): Uint8Array {
    if (body === undefined) throw new Error("an operation that cannot be read has no bytes");
    return this.#bodies.at(body);
  }

  /** Takes over what an operation says from the row of the group's own log: its key is not here any more. */
  setBytes(operation: ReplayOperation, op: Uint8Array): void {
    operation.body = this.#bodies.add(op);
  }

  /** Adds an operation that this node logged and never sent. */
  addLocal(
    local: Omit<ReplayOperation, "number" | "body" | "state" | "keyId">,
    op: Uint8Array,
  ): ReplayOperation {
    const operation: ReplayOperation = {
      ...local,
      number: Math.max(this.list.length, this.#ids.size),
      state: "local",
      keyId: undefined,
      body: this.#bodies.add(op),
    };
    this.list[operation.number] = operation;
    return operation;
  }

  async #add(
    { id, rank, parents, signer, signed, skeletonOf }: StoredOperation,
    { keyring, namespaceId, idOf, own }: Sources,
  ): Promise<void> {
    const number = this.#ids.add(id);
    const common = {
      number,
      signer: idOf(signer),
      nonce: signed === undefined ? 0n : rank,
      parents: parents.map((parent) => this.#ids.add(parent)).filter((parent) => parent !== number),
      logged: undefined,
    };
    this.size++;
    const set = (rest: Pick<ReplayOperation, "state" | "group" | "keyId" | "rotation" | "body">): void => {
      this.list[number] = { ...common, ...rest };
    };
    const clear = { group: undefined, keyId: undefined, rotation: undefined };
    if (signed === undefined) {
      set({ ...clear, state: "skeleton", group: skeletonOf && idOf(skeletonOf), body: undefined });
      return;
    }
    if (signed.op.kind === "Root") {
      const bytes = (this.accounts ? RootOp : RootOp010).encode(signed.op.value as RootOp & RootOp010);
      set({ ...clear, state: "root", body: this.#bodies.add(bytes) });
      return;
    }
    const { groupId, keyId, encrypted, keyRotation } = signed.op;
    const decrypted = await keyring.decryptBytes(encrypted, keyId, groupId, namespaceId);
    this.bySignature.set(shortSignature(signed.signature), number);
    set({
      state:
        decrypted.bytes !== undefined ? "group" : decrypted.why === "no key" ? "encrypted" : "undecryptable",
      group: idOf(groupId),
      keyId: idOf(keyId),
      rotation: keyRotation === null ? undefined : rotationOf(keyRotation, own),
      body: decrypted.bytes && this.#bodies.add(decrypted.bytes),
    });
  }
}

interface Sources {
  readonly keyring: Keyring;
  readonly namespaceId: Uint8Array;
  readonly idOf: (bytes: Uint8Array) => string;
  readonly own: OwnNode;
}

function rotationOf(
  {
    newKeyId,
    envelopes,
  }: { readonly newKeyId: Uint8Array; readonly envelopes: readonly (KeyEnvelope | KeyEnvelope010)[] },
  own: OwnNode,
): Rotation {
  return { keyId: toHex(newKeyId), envelope: envelopes.find((envelope) => isFor(envelope, own)) };
}

/** Whether an envelope is addressed to this node: to its device, or to one of its keys. */
export function isFor({ recipient }: KeyEnvelope | KeyEnvelope010, own: OwnNode): boolean {
  if (recipient instanceof Uint8Array) return own.publicKeys.has(toHex(recipient));
  return recipient.kind === "Device"
    ? toHex(recipient.device) === own.device
    : own.publicKeys.has(toHex(recipient.identity));
}

/** Enough of a signature to find the operation; whatever is found so is compared whole. */
export function shortSignature(signature: Uint8Array): string {
  return String.fromCharCode(...signature.subarray(0, 16));
}
