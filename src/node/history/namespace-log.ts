/** The log of a namespace, newest operation first, in words. */

import { fromHex, toHex } from "../../bytes/hex.js";
import { slices } from "../../collections/lists.js";
import type { DecryptedGroupOp } from "../../digests/index.js";
import { isFlag, isFunction, isWholeNumber, type OptionChecks } from "../../options.js";
import { Pause } from "../../pause.js";
import { type ProgressOptions, progressOptions } from "../../progress.js";
import type { Named, Names } from "../names.js";
import { type AnyGroupOp, groupSentence } from "../sentences/group.js";
import { type AnyRootOp, groupsOf, rootSentence } from "../sentences/root.js";
import { plural, type Sentence, say } from "../sentences/sentence.js";
import { once } from "../tables/once.js";
import { firstValue, type NodeReader } from "../tables/rows.js";
import { GraphBuilder, type HistoryGraph } from "./graph.js";
import { Keyring, sealedIn, type UnsealedOp } from "./keyring.js";
import type { Operation, TimeBounds } from "./operation.js";
import { CausalOrder, newestOf } from "./order.js";
import { SaidByLog } from "./said.js";
import { actingIn, type LogNames, speakerOf } from "./speaker.js";
import {
  type GroupPart,
  hexes,
  operationsById,
  operationsOf,
  type SignedPart,
  type StoredOperation,
  storedOperations,
} from "./stored.js";
import { readTimes } from "./times.js";

/** Logs that are longer are not read whole only for the names in them. */
export const READ_FOR_NAMES = 10_000;

/** Operations that are put into words at a time. */
const BATCH = 64;

/** The operations of a log that are wanted. The progress counts them. */
export interface HistoryOptions extends ProgressOptions {
  /** At most this many, the newest. The whole log is read without it. */
  readonly limit?: number | undefined;
  /** Find out when operations were made: reads all deltas. */
  readonly times?: boolean | undefined;
  /**
   * In the history of a group that is not a namespace, called in order for each operation of the namespace that is not about
   * the group. A graph needs them: operations of a group follow each other through others.
   */
  readonly leftOut?: ((operation: Linked) => void) | undefined;
}

/** The checks of {@link HistoryOptions}. */
export const historyOptions: OptionChecks<HistoryOptions> = {
  ...progressOptions,
  limit: isWholeNumber(0),
  times: isFlag,
  leftOut: isFunction,
};

/** An operation or a delta, with its parents. Ids are 64 hex digits. */
export interface Linked {
  /** Its id. */
  readonly id: string;
  /** Ids of its parents. */
  readonly parents: readonly string[];
}

/** The log of a namespace. */
export class NamespaceLog {
  readonly #reader: NodeReader;
  readonly #names: Names;
  readonly #id: Uint8Array;
  readonly #accounts: boolean;
  /** Names of the database and of the log. */
  readonly logNames: () => Promise<LogNames>;
  readonly #keys: () => Promise<Keyring>;

  constructor(reader: NodeReader, names: Names, namespace: string) {
    this.#reader = reader;
    this.#names = names;
    this.#id = fromHex(namespace);
    this.#accounts = operationsOf(reader).accounts;
    this.logNames = once(() => this.#readNames());
    this.#keys = once(() => Keyring.read(reader));
  }

  /** The operations, newest first. `group`: only those about this group. */
  async *history(
    { limit, times, leftOut }: HistoryOptions,
    group?: string,
  ): AsyncGenerator<Operation, void, undefined> {
    let left = limit ?? Number.POSITIVE_INFINITY;
    if (left === 0) return;
    const log = await this.logNames();
    // Deltas name no operations before core-0.11.
    const known = times && this.#accounts ? await readTimes(this.#reader, this.#id) : undefined;
    // Operations about one group may lie far apart.
    const rows = limit === undefined || group !== undefined ? this.#all() : this.#newest(limit);
    for await (const stored of rows) {
      if (group !== undefined && !this.#isAbout(stored, group)) {
        leftOut?.({ id: toHex(stored.id), parents: hexes(stored.parents) });
        continue;
      }
      yield await this.#operation(stored, log, known?.get(toHex(stored.id)));
      if (--left === 0) return;
    }
  }

  /** Returns whether an operation is about a group. Reads the log until one is. */
  async isAbout(group: string): Promise<boolean> {
    for await (const rows of storedOperations(this.#reader, this.#id))
      if (rows.some((stored) => this.#isAbout(stored, group))) return true;
    return false;
  }

  /** The operation of an id; undefined if the log does not have it. */
  async operation(id: string): Promise<Operation | undefined> {
    const [stored] = await operationsById(this.#reader, this.#id, [fromHex(id)]);
    return stored && this.#operation(stored, await this.logNames());
  }

  /** The operations with these ids, in the order of the ids; undefined for an operation that the log does not have. */
  async operations(ids: readonly string[]): Promise<readonly (Operation | undefined)[]> {
    const log = await this.logNames();
    const found = await operationsById(this.#reader, this.#id, ids.map(fromHex));
    return Promise.all(found.map(async (stored) => stored && this.#operation(stored, log)));
  }

  /** The graph of all operations. Reads all deltas for the times. */
  async graph(): Promise<HistoryGraph> {
    const log = await this.logNames();
    const times = this.#accounts ? await readTimes(this.#reader, this.#id) : undefined;
    const people = new Map<string, Named>();
    const builder = new GraphBuilder();
    const pause = new Pause();
    for await (const rows of storedOperations(this.#reader, this.#id))
      for (const stored of rows) {
        await pause.ifLong();
        const { id, rank, parents } = stored;
        const actor = await this.#actorOf(stored, log);
        if (!people.has(actor.id)) people.set(actor.id, actor);
        const time = times?.get(toHex(id));
        const { after, before } = time ?? {};
        builder.add({ id, rank, parents, author: actor.id, after, before, marks: 0 });
      }
    const head = await firstValue(this.#reader, "NamespaceGovHead", { namespaceId: this.#id });
    const of = log.names.group(log.namespace);
    return builder.build(of, hexes(head?.dagHeads ?? []), (id) => people.get(id) as Named);
  }

  async #readNames(): Promise<LogNames> {
    const said = new SaidByLog();
    const head = await firstValue(this.#reader, "NamespaceGovHead", { namespaceId: this.#id });
    if (head === undefined || head.sequence <= READ_FOR_NAMES) {
      for await (const { signed } of this.#read([...(await this.#order()).newestFirst()].reverse())) {
        if (signed === undefined) continue;
        if (signed.op.kind !== "Group") {
          const { op } = await this.#root(signed.op);
          if (op !== undefined) said.root(op);
        } else {
          const { op } = await this.#decrypt(signed.op);
          if (op !== undefined) said.group(op, signed.op.groupId);
        }
      }
    }
    const namespace = toHex(this.#id);
    const { revision } = operationsOf(this.#reader);
    return { names: this.#names, said, accounts: this.#accounts, revision, namespace };
  }

  /** The newest operations, found from the heads. */
  async *#newest(limit: number): AsyncGenerator<StoredOperation, void, undefined> {
    const head = await firstValue(this.#reader, "NamespaceGovHead", { namespaceId: this.#id });
    const get = (ids: readonly Uint8Array[]): Promise<readonly (StoredOperation | undefined)[]> =>
      operationsById(this.#reader, this.#id, ids);
    yield* newestOf({ heads: head?.dagHeads ?? [], get }, limit, () => this.#all());
  }

  /** All operations, in order. */
  async *#all(): AsyncGenerator<StoredOperation, void, undefined> {
    yield* this.#read((await this.#order()).newestFirst());
  }

  async #order(): Promise<CausalOrder> {
    const order = new CausalOrder();
    for await (const rows of storedOperations(this.#reader, this.#id))
      for (const stored of rows) order.add(stored);
    return order;
  }

  async *#read(ids: Iterable<Uint8Array>): AsyncGenerator<StoredOperation, void, undefined> {
    const pause = new Pause();
    for (const batch of slices(ids, BATCH)) {
      await pause.ifLong();
      for (const stored of await operationsById(this.#reader, this.#id, batch))
        if (stored !== undefined) yield stored;
    }
  }

  #isAbout({ signed, skeletonOf }: StoredOperation, group: string): boolean {
    if (signed === undefined) return skeletonOf !== undefined && toHex(skeletonOf) === group;
    if ("groupId" in signed.op) return toHex(signed.op.groupId) === group;
    return signed.op.kind === "Root" && groupsOf(signed.op.value).includes(group);
  }

  async #actorOf({ signed, signer, skeletonOf }: StoredOperation, log: LogNames): Promise<Named> {
    const by = speakerOf(log, toHex(signer), toHex(skeletonOf ?? groupIn(signed) ?? this.#id));
    if (signed === undefined) return by.actor;
    const { op } = signed.op.kind === "Group" ? await this.#decrypt(signed.op) : await this.#root(signed.op);
    return op === undefined ? by.actor : actingIn(op, by);
  }

  async #decrypt({ groupId, keyId, encrypted }: GroupPart): Promise<DecryptedGroupOp<AnyGroupOp>> {
    return (await this.#keys()).decrypt(encrypted, keyId, groupId, this.#id);
  }

  /** An operation on the namespace, in clear or unsealed. */
  async #root(part: RootPart): Promise<DecryptedGroupOp<AnyRootOp>> {
    if (part.kind === "Root") return { op: part.value, bytes: NO_BYTES };
    const [unsealed] = await (await this.#keys()).unsealAll([sealedIn(part, this.#id)], toHex(this.#id));
    const { op, why } = unsealed as DecryptedGroupOp<UnsealedOp>;
    return op === undefined ? { op, why } : { op: op.op, bytes: NO_BYTES };
  }

  async #operation(stored: StoredOperation, log: LogNames, time?: TimeBounds): Promise<Operation> {
    const { signed, signer, skeletonOf } = stored;
    const namespace = log.names.group(log.namespace);
    const common = {
      id: toHex(stored.id),
      log: "namespace",
      namespace,
      signer: toHex(signer),
      parents: hexes(stored.parents),
      time,
      revision: log.revision,
      isOnGroup: false,
    } as const;
    if (signed === undefined) {
      const { actor, group } = speakerOf(log, toHex(signer), toHex(skeletonOf ?? this.#id));
      const sentence = say`${actor} did something in ${group} (only its skeleton is here)`;
      return { ...common, ...unreadable, group, actor, sequence: 0n, sentence, state: "skeleton" };
    }
    const { op, nonce: sequence } = signed;
    if (op.kind === "Group")
      return {
        ...common,
        ...(await this.#groupOperation(op, toHex(signer), log)),
        sequence,
        isOnGroup: true,
      };
    const by = speakerOf(log, toHex(signer), "groupId" in op ? toHex(op.groupId) : log.namespace);
    const root = await this.#root(op);
    const keyId = op.kind === "Root" ? undefined : toHex(op.keyId);
    if (root.op === undefined) {
      const sentence = say`${by.actor} did something in ${by.group} ${whyNot(root.why, keyId)}`;
      const state = root.why === "no key" ? "encrypted" : "undecryptable";
      return { ...common, ...unreadable, keyId, sentence, state, group: by.group, actor: by.actor, sequence };
    }
    const [about = log.namespace] = groupsOf(root.op);
    const ofNamespace = speakerOf(log, toHex(signer), log.namespace);
    const sentence = rootSentence(root.op, ofNamespace);
    const read = { state: "readable", kind: root.op.kind, op: root.op, keyId } as const;
    const actor = actingIn(root.op, ofNamespace);
    return { ...common, ...read, group: log.names.group(about), actor, sequence, sentence };
  }

  async #groupOperation(
    part: GroupPart,
    signer: string,
    log: LogNames,
  ): Promise<Pick<Operation, "group" | "actor" | "sentence" | "state" | "kind" | "op" | "keyId">> {
    const { groupId, keyId, keyRotation } = part;
    const by = speakerOf(log, signer, toHex(groupId));
    const decrypted = await this.#decrypt(part);
    const common = { group: by.group, actor: by.actor, keyId: toHex(keyId) };
    const rotation =
      keyRotation === null
        ? []
        : say`, and sent a new group key to ${plural(keyRotation.envelopes.length, log.accounts ? "device" : "member")}`;
    if (decrypted.op === undefined) {
      const why = whyNot(decrypted.why, toHex(keyId));
      const sentence = say`${by.actor} did something in ${by.group} ${why}${rotation}`;
      const state = decrypted.why === "no key" ? "encrypted" : "undecryptable";
      return { ...common, ...unreadable, keyId: toHex(keyId), sentence, state };
    }
    const { op } = decrypted;
    const sentence = say`${groupSentence(op, by)}${rotation}`;
    return { ...common, actor: actingIn(op, by), sentence, state: "readable", kind: op.kind, op };
  }
}

/** The group of an operation that is about one. */
function groupIn(signed: StoredOperation["signed"]): Uint8Array | undefined {
  return signed?.op.kind === "Group" ? signed.op.groupId : undefined;
}

/** The reason why an operation cannot be read. */
function whyNot(why: "no key" | "does not decrypt" | "does not decode", keyId = ""): Sentence {
  const key: Named = { kind: "key", id: keyId, name: undefined };
  return why === "no key"
    ? say`(encrypted, key ${key} is not here)`
    : say`(encrypted, and does not decrypt with key ${key})`;
}

type RootPart = Exclude<SignedPart, GroupPart>;

const NO_BYTES = new Uint8Array();

const unreadable = { kind: undefined, op: undefined, keyId: undefined } as const;
