/** The operations of a namespace, read once and kept packed, so that they can be put in order and applied. */

import { fromHex, toHex } from "../../bytes/hex.js";
import { IdTable, IdTexts } from "../../bytes/id-table.js";
import { NumberLists } from "../../collections/number-lists.js";
import type { DecryptedGroupOp } from "../../digests/index.js";
import { signalOf } from "../../engine/abortable.js";
import { Pause } from "../../pause.js";
import type { KeyEnvelope, KeyEnvelope010, OperationLayouts } from "../../payloads/index.js";
import { type EncryptedOperation, sealedIn, type UnsealedOp } from "../history/keyring.js";
import { type GroupPart, type StoredOperation, storedOperations } from "../history/stored.js";
import type { AnyGroupOp } from "../sentences/group.js";
import { type AnyRootOp, groupsOf } from "../sentences/root.js";
import type { OwnNode } from "../tables/own.js";
import { Packed } from "./packed.js";
import { Signatures } from "./signatures.js";
import type { Sources } from "./sources.js";
import { authorOf, type EffectiveGroupOp, type EffectiveRootOp, effectOf } from "./wrapped.js";

/** A change of a group's key that an operation brings. */
export interface Rotation {
  /** Id of the new key, 64 hex digits. */
  readonly keyId: string;
  /** The new key for this node; undefined if the node is not among the recipients. */
  readonly envelope: KeyEnvelope | KeyEnvelope010 | undefined;
}

/** The source of an operation, or the reason why it cannot be read: `local` ones were never sent to other nodes. */
export type ReplayState = "root" | "group" | "local" | "encrypted" | "undecryptable" | "skeleton";

/** Facts in the row of an operation in the group's own log. */
export interface LogRow {
  readonly nonce: bigint;
  /** Before core-0.11: the hash of the group's state before the operation; undefined if the row asserts no hash. */
  readonly stateHash: Uint8Array | undefined;
  /** The fields that are not those of the operation that was signed. */
  readonly forged: readonly string[];
}

/** An operation that is replayed. Ids are 64 hex digits. It is a class so that all objects share one hidden class in V8. */
export class ReplayOperation {
  /** Its number among the operations of the replay. */
  readonly number: number;
  readonly state: ReplayState;
  /** The signer's Ed25519 public key. */
  readonly signer: string;
  readonly nonce: bigint;
  /** The number of the list with its parents' numbers; undefined for an operation without parents. */
  readonly parents: number | undefined;
  /** The group that it changes; undefined for an operation on the namespace. */
  readonly group: string | undefined;
  /** Id of the key that it is encrypted under; undefined for an operation in clear. */
  readonly keyId: string | undefined;
  readonly rotation: Rotation | undefined;
  /** The key of its author, if another key signed for the author; undefined if the signer is the author. */
  readonly author: string | undefined;
  /** The kind of its effect, such as `MemberAdded`; undefined if the operation cannot be read. */
  kind: string | undefined;
  /** Number of the operation's bytes in Borsh; undefined if the operation cannot be read. */
  body: number | undefined;
  /** The number of its row in the group's own log; undefined if it has no row there. */
  logged: bigint | undefined = undefined;
  /** The row of the log, if it has its own nonce, asserts a hash, or has forged fields; undefined otherwise. */
  logRow: LogRow | undefined = undefined;

  constructor(number: number, signer: string, nonce: bigint, parents: number | undefined, said: Said) {
    this.number = number;
    this.signer = signer;
    this.nonce = nonce;
    this.parents = parents;
    this.state = said.state;
    this.group = said.group;
    this.keyId = said.keyId;
    this.rotation = said.rotation;
    this.author = said.author;
    this.kind = said.kind;
    this.body = said.body;
  }
}

/** The readable content of an operation. Fields that cannot be read are undefined. */
type Said = Pick<ReplayOperation, "state" | "group" | "keyId" | "rotation" | "author" | "kind" | "body">;

const UNSAID = {
  ...{ group: undefined, keyId: undefined, rotation: undefined },
  ...{ author: undefined, kind: undefined, body: undefined },
};

/** The operations of a namespace. */
export class Operations {
  readonly #ids = new IdTable();
  readonly #bodies = new Packed();
  readonly #parents = new NumberLists();
  readonly #sources: Sources;
  readonly #texts = new IdTexts();
  /** By number; undefined for one that is only named by others. */
  readonly list: (ReplayOperation | undefined)[] = [];
  /** The groups that they name, the namespace included. */
  readonly groups: Set<string>;
  /** The number of operations in `list` that were sent to other nodes. */
  size = 0;

  private constructor(sources: Sources, namespace: string) {
    this.#sources = sources;
    this.groups = new Set([namespace]);
  }

  /** Reads and decrypts the operations of a namespace. */
  static async read(
    sources: Sources,
    namespace: string,
  ): Promise<{ readonly operations: Operations; readonly signatures: Signatures }> {
    const operations = new Operations(sources, namespace);
    const signatures = new Signatures();
    const pause = new Pause(signalOf(sources.reader.raw));
    for await (const rows of storedOperations(sources.reader, fromHex(namespace))) {
      await operations.#addAll(rows, namespace, signatures);
      await pause.ifLong();
    }
    return { operations, signatures };
  }

  /** True if accounts act, as since core-0.11. */
  get accounts(): boolean {
    return this.#sources.accounts;
  }

  /** The layouts of the operations. */
  get layouts(): OperationLayouts {
    return this.#sources.layouts;
  }

  /** The id of an operation of the namespace's log, 32 bytes: a view. */
  idBytes(number: number): Uint8Array {
    return this.#ids.at(number);
  }

  /** The id of an operation of the namespace's log, 64 hex digits. */
  id(number: number): string {
    return toHex(this.idBytes(number));
  }

  /** The number of an operation; undefined if the namespace's log does not have it. */
  numberOf(id: string): number | undefined {
    const number = this.#ids.find(fromHex(id));
    return this.list[number]?.number;
  }

  /** Numbers of the operations that an operation follows; they may be missing. */
  parentsOf(operation: ReplayOperation | undefined): Iterable<number> {
    return operation?.parents === undefined ? [] : this.#parents.at(operation.parents);
  }

  /** An id as 64 hex digits: the same string for each that operations name as signer, group or key. */
  textOf(id: Uint8Array): string {
    return this.#texts.of(id);
  }

  /** The effect of an operation on the namespace: without the operation that is around it. */
  rootOp(operation: ReplayOperation): EffectiveRootOp {
    return effectOf(this.layouts.root.decode(this.bytes(operation)) as AnyRootOp);
  }

  /** The effect of an operation on a group: without the operation that is around it. */
  groupOp(operation: ReplayOperation): EffectiveGroupOp {
    return effectOf(this.layouts.group.decode(this.bytes(operation)) as AnyGroupOp);
  }

  /** The operation in Borsh. */
  bytes({ body }: ReplayOperation): Uint8Array {
    if (body === undefined) throw new Error("an operation that cannot be read has no bytes");
    return this.#bodies.at(body);
  }

  /** Takes over the content of an operation from its row in the group's own log, because its key is gone. */
  takeOver(operation: ReplayOperation, op: AnyGroupOp, bytes: Uint8Array): void {
    operation.kind = effectOf(op).kind;
    operation.body = this.#bodies.add(bytes);
  }

  /** Adds an operation that this node logged and never sent. */
  addLocal(
    local: Pick<ReplayOperation, "signer" | "nonce" | "group">,
    op: AnyGroupOp,
    bytes: Uint8Array,
  ): ReplayOperation {
    const { signer, nonce, group } = local;
    const said: Said = { ...UNSAID, state: "local", group, ...this.#content(op, bytes) };
    const operation = new ReplayOperation(this.list.length, signer, nonce, undefined, said);
    this.list.push(operation);
    return operation;
  }

  async #addAll(rows: readonly StoredOperation[], namespace: string, signatures: Signatures): Promise<void> {
    const encrypted = rows.flatMap(({ signed }) =>
      signed?.op.kind === "Group" ? this.#encrypted(signed.op) : [],
    );
    const decrypted = await this.#sources.keyring.decryptAll(encrypted, namespace);
    const sealed = rows.flatMap(({ signed }) => {
      const op = signed?.op;
      return op === undefined || op.kind === "Group" || op.kind === "Root"
        ? []
        : sealedIn(op, fromHex(namespace));
    });
    const unsealed = await this.#sources.keyring.unsealAll(sealed, namespace);
    let place = 0;
    let sealedPlace = 0;
    for (const stored of rows) {
      const { id, rank, parents, signer, signed } = stored;
      const number = this.#numberOf(id);
      const said =
        signed?.op.kind === "Group"
          ? this.#saidToGroup(
              encrypted[place] as EncryptedOperation,
              decrypted[place++] as DecryptedGroupOp<AnyGroupOp>,
              signed.op.keyRotation,
            )
          : signed !== undefined && signed.op.kind !== "Root"
            ? this.#saidSealed(
                sealed[sealedPlace] as EncryptedOperation,
                unsealed[sealedPlace++] as DecryptedGroupOp<UnsealedOp>,
                namespace,
              )
            : this.#said(stored);
      if (signed?.op.kind === "Group") signatures.add(signed.signature, number);
      // Only a forged operation names itself. It does not follow itself.
      const named = parents.map((parent) => this.#numberOf(parent)).filter((parent) => parent !== number);
      const follows = named.length === 0 ? undefined : this.#parents.add(named);
      const nonce = signed === undefined ? 0n : rank;
      this.list[number] = new ReplayOperation(number, this.textOf(signer), nonce, follows, said);
      this.size++;
    }
  }

  #encrypted({ groupId, keyId, encrypted }: GroupPart): EncryptedOperation {
    return { encrypted, keyId: this.textOf(keyId), group: this.#groupOf(groupId) };
  }

  #saidToGroup(
    { group, keyId }: EncryptedOperation,
    { op, bytes, why }: DecryptedGroupOp<AnyGroupOp>,
    keyRotation: GroupPart["keyRotation"],
  ): Said {
    return {
      state: op !== undefined ? "group" : why === "no key" ? "encrypted" : "undecryptable",
      group,
      keyId,
      rotation: keyRotation === null ? undefined : rotationOf(keyRotation, this.#sources.own),
      ...(op === undefined ? UNREAD : this.#content(op, bytes)),
    };
  }

  /** The content of a sealed operation on the namespace. */
  #saidSealed(
    { group, keyId }: EncryptedOperation,
    { op: read, why }: DecryptedGroupOp<UnsealedOp>,
    namespace: string,
  ): Said {
    if (read === undefined) {
      const state = why === "no key" ? "encrypted" : "undecryptable";
      return { ...UNSAID, state, keyId, group: group === namespace ? undefined : group };
    }
    const said = this.#saidToNamespace(read.op);
    return { ...said, keyId, author: read.author === undefined ? said.author : this.textOf(read.author) };
  }

  /** The content of an operation that can be read. */
  #content(op: AnyGroupOp | AnyRootOp, bytes: Uint8Array): Pick<Said, "author" | "kind" | "body"> {
    const author = authorOf(op);
    return {
      author: author && this.textOf(author),
      kind: effectOf(op).kind,
      body: this.#bodies.add(bytes),
    };
  }

  /** The content of an operation on the namespace, or a skeleton. */
  #said({ signed, skeletonOf }: StoredOperation): Said {
    if (signed?.op.kind !== "Root")
      return { ...UNSAID, state: "skeleton", group: skeletonOf && this.#groupOf(skeletonOf) };
    return this.#saidToNamespace(signed.op.value);
  }

  #saidToNamespace(op: AnyRootOp): Said {
    for (const group of groupsOf(op)) this.groups.add(group);
    return { ...UNSAID, state: "root", ...this.#content(op, this.layouts.root.encode(op)) };
  }

  /** The number of an id. The list has a place for each, so that it stays a plain array. */
  #numberOf(id: Uint8Array): number {
    const number = this.#ids.add(id);
    if (number === this.list.length) this.list.push(undefined);
    return number;
  }

  #groupOf(groupId: Uint8Array): string {
    const group = this.textOf(groupId);
    this.groups.add(group);
    return group;
  }
}

const UNREAD = { author: undefined, kind: undefined, body: undefined };

function rotationOf(
  {
    newKeyId,
    envelopes,
  }: { readonly newKeyId: Uint8Array; readonly envelopes: readonly (KeyEnvelope | KeyEnvelope010)[] },
  own: OwnNode,
): Rotation {
  return { keyId: toHex(newKeyId), envelope: envelopes.find((envelope) => isFor(envelope, own)) };
}

/** Returns whether an envelope is addressed to this node: to its device, or to one of its keys. */
export function isFor({ recipient }: KeyEnvelope | KeyEnvelope010, own: OwnNode): boolean {
  if (recipient instanceof Uint8Array) return own.publicKeys.has(toHex(recipient));
  return recipient.kind === "Device"
    ? toHex(recipient.device) === own.device
    : own.publicKeys.has(toHex(recipient.identity));
}
