/** The operations of a namespace, read once and kept packed, so that they can be put in order and applied. */
import { fromHex, toHex } from "../../bytes/hex.js";
import { ID_BYTES, IdTable } from "../../bytes/id-table.js";
import { Pause } from "../../pause.js";
import type { KeyEnvelope, KeyEnvelope010 } from "../../payloads/index.js";
import { GroupOp, GroupOp010, RootOp, RootOp010 } from "../../payloads/index.js";
import { type StoredOperation, storedOperations } from "../history/stored.js";
import type { AnyGroupOp } from "../sentences/group.js";
import { type AnyRootOp, groupsOf } from "../sentences/root.js";
import type { OwnNode } from "../tables/own.js";
import { Packed } from "./packed.js";
import { Signatures } from "./signatures.js";
import type { Sources } from "./sources.js";

/** A change of a group's key that an operation brings. */
export interface Rotation {
  /** Id of the new key, 64 hex digits. */
  readonly keyId: string;
  /** The new key for this node; undefined where it is not among the recipients. */
  readonly envelope: KeyEnvelope | KeyEnvelope010 | undefined;
}

/** Whether what an operation did can be read, and where it comes from: `local` ones were never sent to other nodes. */
export type ReplayState = "root" | "group" | "local" | "encrypted" | "undecryptable" | "skeleton";

/** The row of an operation in the group's own log. */
export interface LogRow {
  readonly sequence: bigint;
  readonly nonce: bigint;
  /** Before core-0.11: the hash that the group's state had before it; undefined where it says none. */
  readonly stateHash: Uint8Array | undefined;
  /** Whether the row says something else than the operation that was signed. */
  readonly isForged: boolean;
}

/** An operation that is replayed. Ids are 64 hex digits. It is a class so that all objects share one hidden class in V8. */
export class ReplayOperation {
  /** Its number among those of the replay. */
  readonly number: number;
  readonly state: ReplayState;
  /** The signer's Ed25519 public key. */
  readonly signer: string;
  readonly nonce: bigint;
  /** Numbers of the operations that it follows; they may be missing. */
  readonly parents: readonly number[];
  /** The group that it is about; undefined for one on the namespace. */
  readonly group: string | undefined;
  /** Id of the key that it is encrypted under; undefined for one in clear. */
  readonly keyId: string | undefined;
  readonly rotation: Rotation | undefined;
  /** What it does: `MemberAdded`; undefined where it cannot be read. */
  kind: string | undefined;
  /** Number of the operation's bytes in Borsh; undefined where it cannot be read. */
  body: number | undefined;
  /** Its row in the group's own log; undefined where it has none. */
  logged: LogRow | undefined = undefined;

  constructor(fields: OperationFields) {
    this.number = fields.number;
    this.state = fields.state;
    this.signer = fields.signer;
    this.nonce = fields.nonce;
    this.parents = fields.parents;
    this.group = fields.group;
    this.keyId = fields.keyId;
    this.rotation = fields.rotation;
    this.kind = fields.kind;
    this.body = fields.body;
  }
}

interface OperationFields
  extends Pick<ReplayOperation, "number" | "state" | "signer" | "nonce" | "parents">,
    Partial<Pick<ReplayOperation, "group" | "keyId" | "rotation" | "kind" | "body">> {}

/** The operations of a namespace. */
export class Operations {
  readonly #ids = new IdTable();
  readonly #bodies = new Packed();
  readonly #sources: Sources;
  readonly #texts = new Map<string, string>();
  /** By number; undefined for one that is only named by others. */
  readonly list: (ReplayOperation | undefined)[] = [];
  /** The groups that they name, the namespace included. */
  readonly groups: Set<string>;
  /** Operations of `list`, without those that were never sent to other nodes. */
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
    const namespaceId = fromHex(namespace);
    const pause = new Pause();
    for await (const rows of storedOperations(sources.reader, namespaceId)) {
      for (const stored of rows) await operations.#add(stored, namespaceId, signatures);
      await pause.ifLong();
    }
    return { operations, signatures };
  }

  /** Whether accounts act, as since core-0.11. */
  get accounts(): boolean {
    return this.#sources.accounts;
  }

  /** The id of an operation of the namespace's log, 32 bytes: a view. */
  idBytes(number: number): Uint8Array {
    return this.#ids.bytes.subarray(number * ID_BYTES, (number + 1) * ID_BYTES);
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
  takeOver(operation: ReplayOperation, op: AnyGroupOp, bytes: Uint8Array): void {
    operation.kind = op.kind;
    operation.body = this.#bodies.add(bytes);
  }

  /** Adds an operation that this node logged and never sent. */
  addLocal(
    local: Pick<ReplayOperation, "signer" | "nonce" | "group">,
    op: AnyGroupOp,
    bytes: Uint8Array,
  ): ReplayOperation {
    const operation = new ReplayOperation({
      ...local,
      number: this.list.length,
      state: "local",
      parents: [],
      kind: op.kind,
      body: this.#bodies.add(bytes),
    });
    this.list.push(operation);
    return operation;
  }

  async #add(
    { id, rank, parents, signer, signed, skeletonOf }: StoredOperation,
    namespaceId: Uint8Array,
    signatures: Signatures,
  ): Promise<void> {
    const number = this.#numberOf(id);
    const common = {
      number,
      signer: this.#textOf(signer),
      nonce: signed === undefined ? 0n : rank,
      parents: parents.map((parent) => this.#numberOf(parent)).filter((parent) => parent !== number),
    };
    this.size++;
    if (signed === undefined) {
      const group = skeletonOf && this.#groupOf(skeletonOf);
      this.list[number] = new ReplayOperation({ ...common, state: "skeleton", group });
    } else if (signed.op.kind === "Root") {
      const op = signed.op.value;
      for (const group of groupsOf(op)) this.groups.add(group);
      const bytes = (this.accounts ? RootOp : RootOp010).encode(op as RootOp & RootOp010);
      const body = this.#bodies.add(bytes);
      this.list[number] = new ReplayOperation({ ...common, state: "root", kind: op.kind, body });
    } else {
      const { groupId, keyId, encrypted, keyRotation } = signed.op;
      const decrypted = await this.#sources.keyring.decrypt(encrypted, keyId, groupId, namespaceId);
      signatures.add(signed.signature, number);
      this.list[number] = new ReplayOperation({
        ...common,
        state:
          decrypted.op !== undefined ? "group" : decrypted.why === "no key" ? "encrypted" : "undecryptable",
        group: this.#groupOf(groupId),
        keyId: this.#textOf(keyId),
        rotation: keyRotation === null ? undefined : rotationOf(keyRotation, this.#sources.own),
        kind: decrypted.op?.kind,
        body: decrypted.op && this.#bodies.add(decrypted.bytes),
      });
    }
  }

  /** The number of an id. The list has a place for each, so that it stays a plain array. */
  #numberOf(id: Uint8Array): number {
    const number = this.#ids.add(id);
    if (number === this.list.length) this.list.push(undefined);
    return number;
  }

  #groupOf(groupId: Uint8Array): string {
    const group = this.#textOf(groupId);
    this.groups.add(group);
    return group;
  }

  /** One string for each id, however often it occurs. */
  #textOf(id: Uint8Array): string {
    const text = toHex(id);
    const known = this.#texts.get(text);
    if (known === undefined) this.#texts.set(text, text);
    return known ?? text;
  }
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
