/** A namespace of core-0.11 in memory, with the operations that a test chooses. */
import { fromHex, toHex } from "../../../src/bytes/hex.js";
import { Payload } from "../../../src/codec/index.js";
import { keyId, namespaceOpId011 } from "../../../src/digests/index.js";
import { openMemoryEngine } from "../../../src/engines/memory/index.js";
import {
  GroupOp011,
  type RootOp011,
  SignedGroupOp011,
  StoredNamespaceEntry011,
} from "../../../src/payloads/index.js";
import { core011 } from "../../../src/schemas/index.js";
import { storeOn } from "../../../src/store/index.js";
import { type Actor, Chance, encrypt, makeActor } from "./histories/actors.js";

/** The signer of an operation, and the operations that it follows. */
interface Signing {
  readonly signature?: Uint8Array | undefined;
  readonly parents?: readonly Uint8Array[];
}

/** A namespace that another node founded. */
export class MadeNamespace {
  readonly #engine = openMemoryEngine({ columns: core011.columns });
  readonly #key: Uint8Array;
  readonly #sequences = new Map<string, bigint>();
  #heads: readonly Uint8Array[] = [];
  #count = 0n;
  readonly namespace: Uint8Array;
  readonly founder: Actor;

  private constructor(chance: Chance) {
    this.founder = makeActor(chance, true);
    this.namespace = chance.bytes(32);
    this.#key = chance.bytes(32);
  }

  static async found(): Promise<MadeNamespace> {
    const made = new MadeNamespace(new Chance(1));
    const { namespace, founder } = made;
    await made.put("NamespaceParticipation", [namespace], { reserved: 0 });
    const groupKey = { groupKey: made.#key, createdAt: 1n, epoch: 0n, insertionSeq: 0n };
    await made.put("GroupKeyEntry", [namespace, keyId(made.#key)], groupKey);
    await made.root({
      kind: "NamespaceCreated",
      founder: fromHex(founder.id),
      account: { genesis: founder.genesis, chain: [], statement: founder.cert },
    });
    return made;
  }

  /** The database as it is at the time of the call. */
  async store(schema = core011) {
    await this.put("NamespaceGovHead", [this.namespace], { sequence: this.#count, dagHeads: this.#heads });
    return storeOn(this.#engine, { schema });
  }

  /** Adds an operation on the namespace. Returns its id. */
  async root(value: RootOp011, signing: Signing = {}): Promise<Uint8Array> {
    return this.#add({ kind: "Root", value }, signing);
  }

  /** Adds an operation on a group, encrypted, and its row in the group's own log. Returns its id. */
  async group(groupId: Uint8Array, op: GroupOp011, signing: Signing = {}): Promise<Uint8Array> {
    const id = await this.encrypted(groupId, GroupOp011.encode(op), signing);
    const sequence = (this.#sequences.get(toHex(groupId)) ?? 0n) + 1n;
    this.#sequences.set(toHex(groupId), sequence);
    const signed = {
      version: 10,
      groupId,
      parentOpHashes: [],
      signer: fromHex(this.founder.publicKey),
      nonce: this.#count,
      op,
      signature: this.#signature(signing),
    };
    await this.put("GroupOpLog", [groupId, sequence], Payload.of(SignedGroupOp011, signed));
    return id;
  }

  /** Adds an operation on a group whose text is these bytes. */
  async encrypted(groupId: Uint8Array, bytes: Uint8Array, signing: Signing = {}): Promise<Uint8Array> {
    const encrypted = encrypt(this.#key, new Uint8Array(12), bytes);
    return this.#add(
      { kind: "Group", groupId, keyId: keyId(this.#key), encrypted, keyRotation: null },
      signing,
    );
  }

  async put(kind: string, parts: readonly unknown[], value: unknown, schema = core011): Promise<void> {
    const row = schema.row(kind);
    const named = Object.fromEntries(row.key.PARTS.map(({ name }, at) => [name, parts[at]]));
    const key = new (row.key as unknown as new (parts: object) => { readonly bytes: Uint8Array })(named);
    const { column } = row;
    const codec = row.value as unknown as { encode(value: unknown): Uint8Array };
    await this.#engine.write([{ type: "put", column, key: key.bytes, value: codec.encode(value) }]);
  }

  async #add(op: unknown, { signature, parents = this.#heads }: Signing): Promise<Uint8Array> {
    this.#count++;
    const signed = {
      version: 7,
      namespaceId: this.namespace,
      parentOpHashes: parents,
      signer: fromHex(this.founder.publicKey),
      nonce: this.#count,
      op,
      signature: this.#signature({ signature }),
    } as never;
    const id = namespaceOpId011(signed);
    const entry = { kind: "Signed", value: signed } as never;
    await this.put("NamespaceGovOp", [this.namespace, id], {
      skeletonBytes: Payload.of(StoredNamespaceEntry011, entry),
    });
    this.#heads = [id];
    return id;
  }

  /** A signature that no other operation has; a replay does not check it. */
  #signature({ signature }: Signing): Uint8Array {
    if (signature !== undefined) return signature;
    const made = new Uint8Array(64);
    new DataView(made.buffer).setBigUint64(0, this.#count);
    return made;
  }
}
