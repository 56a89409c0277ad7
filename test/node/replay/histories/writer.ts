/**
 * Random histories of a namespace: several nodes make operations and get the others' later, in a causal order.
 */
import { fromHex, toHex } from "../../../../src/bytes/hex.js";
import type { Codec } from "../../../../src/codec/index.js";
import { deriveX25519PublicKey, hkdfSha256, sharedPoint, x25519 } from "../../../../src/crypto/index.js";
import { keyId } from "../../../../src/digests/index.js";
import type { GroupOp010, GroupOp011, RootOp010, RootOp011 } from "../../../../src/payloads/index.js";
import type { Schema } from "../../../../src/schemas/index.js";
import { type Actor, Chance, encrypt, makeActor } from "./actors.js";
import { HistoryRows } from "./rows.js";

export type AnyOp = GroupOp011 | GroupOp010 | RootOp011 | RootOp010;

/** The intent of a site: an operation on a group, or on the namespace. */
export interface Intent {
  readonly op: AnyOp;
  readonly group?: string;
  /** True if the operation changes the group's key. */
  readonly rotates?: boolean;
  /** The site that answered a request to join. */
  readonly answerer?: number;
}

/** An operation that a site has made. */
export interface Made extends Intent {
  readonly id: string;
  readonly author: number;
  readonly nonce: bigint;
  readonly parents: readonly string[];
  readonly signature: Uint8Array;
  readonly signed: unknown;
  readonly newKey: string | undefined;
}

/** The differences between the revisions. */
export interface Revision {
  readonly schema: Schema;
  readonly accounts: boolean;
  readonly entry: Codec<unknown>;
  readonly groupOp: Codec<unknown>;
  readonly signedGroupOp: Codec<unknown>;
  namespaceOpId(signed: unknown): Uint8Array;
  groupOpId(signed: unknown): Uint8Array;
  found(site: Site): Intent;
  join(site: Site, responder: Site): Intent;
  /** The rows of a node before its first operation. A joiner hears of the capabilities of new members. */
  begin(site: Site, joining: Intent | undefined, told: number): void;
  choose(site: Site, chance: Chance): Intent | undefined;
  apply(site: Site, made: Made): void;
  /** The hash of a group's state, if logged operations have one. */
  stateHash(site: Site, group: string): { readonly stateHash?: Uint8Array };
  /** The differences of a later revision whose operations have the same effects. */
  readonly later?: Later;
}

/** The layouts of a later revision. */
interface Later {
  /** Fields of signed operations on a namespace, and on a group. */
  readonly namespaceFields: object;
  readonly groupFields: object;
  /** The written form of an operation that `author` made. */
  written(op: AnyOp, author: Actor): unknown;
  /** Returns the sealed bytes of an operation on the namespace; undefined if it is not sealed. */
  sealed(op: AnyOp, author: Actor): Uint8Array | undefined;
  /** The written form of a row. */
  row(kind: string, value: unknown): unknown;
}

interface LogRow {
  readonly signed: unknown;
  readonly id: string;
}

/** A node while it applies operations. */
export class Site {
  readonly rows = new HistoryRows();
  readonly applied: Made[] = [];
  readonly known = new Set<string>();
  readonly history: History;
  readonly number: number;
  readonly logs = new Map<string, LogRow[]>();
  readonly groupHeads = new Map<string, readonly string[]>();
  readonly currentKeys = new Map<string, string>();
  heads: readonly string[] = [];
  readonly #nonces = new Map<string, bigint[]>();

  constructor(history: History, number: number) {
    this.history = history;
    this.number = number;
  }

  get actor(): Actor {
    return this.history.actors[this.number] as Actor;
  }

  /** Adds a key that came without an operation. */
  addFirstKey(group: string): void {
    const key = this.history.firstKeyOf(group);
    this.currentKeys.set(group, key);
    this.#setKey(group, key, 0n);
  }

  apply(made: Made): void {
    const { revision, actors } = this.history;
    const isOwn = made.author === this.number;
    this.applied.push(made);
    this.known.add(made.id);
    this.heads = [...this.heads.filter((head) => !made.parents.includes(head)), made.id];
    const { group } = made;
    if (group === undefined) {
      revision.apply(this, made);
      return;
    }
    const signer = (actors[made.author] as Actor).publicKey;
    const used = this.#nonces.get(group + signer) ?? [];
    const nonce = isOwn ? (used.toSorted((a, b) => (a < b ? -1 : 1)).at(-1) ?? 0n) + 1n : made.nonce;
    if (isOwn || revision.accounts) this.#log(made, group, nonce, signer);
    revision.apply(this, made);
    this.#nonces.set(group + signer, [...used, nonce]);
    if (revision.accounts) {
      const all = new Set([...used, nonce]);
      let floor = 0n;
      while (all.has(floor + 1n)) floor++;
      const above = [...all].filter((one) => one > floor).sort((a, b) => (a < b ? -1 : 1));
      this.rows.set("GroupLocalGovNonceWindow", [group, signer], { floor, above });
    } else this.rows.set("GroupLocalGovNonce", [group, signer], nonce);
    if (made.newKey !== undefined) {
      this.currentKeys.set(group, made.newKey);
      this.#setKey(group, made.newKey, isOwn ? made.nonce : BigInt(this.applied.length));
    }
  }

  #setKey(group: string, key: string, epoch: bigint): void {
    const value = { groupKey: this.history.keys.get(key), createdAt: 1n };
    this.rows.set(
      "GroupKeyEntry",
      [group, key],
      this.history.revision.accounts ? { ...value, epoch, insertionSeq: 0n } : value,
    );
  }

  #log(made: Made, group: string, nonce: bigint, signer: string): void {
    const { revision, chance } = this.history;
    const isOwn = made.author === this.number;
    const parents = isOwn ? (this.groupHeads.get(group) ?? []) : made.parents;
    const signed = {
      version: revision.accounts ? 10 : 3,
      groupId: fromHex(group),
      parentOpHashes: parents.map(fromHex),
      ...revision.stateHash(this, group),
      signer: fromHex(signer),
      nonce,
      op: this.history.written(made.op, made.author),
      signature: isOwn ? chance.bytes(64) : made.signature,
      ...revision.later?.groupFields,
    };
    const id = toHex(revision.groupOpId(signed));
    this.groupHeads.set(
      group,
      isOwn ? [...(this.groupHeads.get(group) ?? []).filter((head) => !parents.includes(head)), id] : [id],
    );
    const log = this.logs.get(group) ?? [];
    this.logs.set(group, [...log, { signed, id }]);
  }
}

/** Operations of several nodes in one namespace. */
export class History {
  readonly chance: Chance;
  readonly revision: Revision;
  readonly namespace: string;
  readonly actors: readonly Actor[];
  /** Members that make no operations. */
  readonly others: readonly string[];
  readonly keys = new Map<string, Uint8Array>();
  readonly #firstKeys = new Map<string, string>();
  readonly sites: (Site | undefined)[] = [];
  readonly made: Made[] = [];
  /** The capabilities of new members, as joiners heard of them. */
  readonly toldAtJoining = new Map<number, number>();

  constructor(seed: number, revision: Revision, nodes = 4) {
    this.chance = new Chance(seed);
    this.revision = revision;
    this.namespace = this.chance.id();
    this.actors = Array.from({ length: nodes }, () => makeActor(this.chance, revision.accounts));
    this.others = Array.from({ length: 6 }, () => this.chance.id());
    const founder = new Site(this, 0);
    this.sites[0] = founder;
    revision.begin(founder, undefined, 0);
    this.make(founder, revision.found(founder));
  }

  /** A node makes an operation and applies it. */
  make(site: Site, intent: Intent): Made {
    const { chance, revision, namespace, actors } = this;
    const { op, group } = intent;
    const newKey = intent.rotates === true ? this.newKey() : undefined;
    const nonce = BigInt(site.applied.length) + 1n;
    const unsigned = {
      version: revision.accounts ? 7 : 1,
      namespaceId: fromHex(namespace),
      parentOpHashes: site.heads.map(fromHex),
      ...(revision.accounts ? {} : { stateHash: new Uint8Array(32) }),
      signer: fromHex(site.actor.publicKey),
      nonce,
      op:
        group === undefined
          ? this.#root(site, op)
          : {
              kind: "Group",
              groupId: fromHex(group),
              keyId: fromHex(site.currentKeys.get(group) as string),
              encrypted: this.#encrypted(
                revision.groupOp.encode(this.written(op, site.number)),
                site.currentKeys.get(group) as string,
              ),
              keyRotation:
                newKey === undefined
                  ? null
                  : {
                      newKeyId: fromHex(newKey),
                      envelopes: actors.map((actor) => this.#envelope(site.actor, actor, newKey)),
                    },
            },
    };
    const signature = chance.bytes(64);
    const signed = { ...unsigned, signature, ...revision.later?.namespaceFields };
    const made: Made = {
      ...intent,
      id: toHex(revision.namespaceOpId(signed)),
      author: site.number,
      nonce,
      parents: site.heads,
      signature,
      signed,
      newKey,
    };
    this.made.push(made);
    site.apply(made);
    return made;
  }

  /** The written form of an operation. */
  written(op: AnyOp, author: number): unknown {
    return this.revision.later?.written(op, this.actors[author] as Actor) ?? op;
  }

  /** An operation on the namespace, sealed if its revision seals it. */
  #root(site: Site, op: AnyOp): unknown {
    const sealed = this.revision.later?.sealed(op, site.actor);
    if (sealed === undefined) return { kind: "Root", value: this.written(op, site.number) };
    const keyId = site.currentKeys.get(this.namespace) as string;
    return { kind: "RootSealed", keyId: fromHex(keyId), encrypted: this.#encrypted(sealed, keyId) };
  }

  /** A node joins, and gets the operations of the node that answers. Returns its own operation. */
  join(number: number, responder: Site): Made {
    const site = new Site(this, number);
    const intent = { ...this.revision.join(site, responder), answerer: responder.number };
    const told =
      responder.rows.get<{ capabilities: number }>("GroupDefaultCaps", this.namespace)?.capabilities ?? 0;
    this.toldAtJoining.set(number, told);
    this.revision.begin(site, intent, told);
    for (const one of causalOrder(responder.applied, this.chance)) site.apply(one);
    this.sites[number] = site;
    return this.make(site, intent);
  }

  /** Nodes join, make operations, and get those of others, in a random order. */
  run(operations: number): void {
    const { chance, revision } = this;
    for (let joined = 1, count = 0; count < operations || joined < this.actors.length; count++) {
      const site = chance.pick(this.sites.filter((one) => one !== undefined));
      if (joined < this.actors.length && chance.is(0.1)) this.join(joined++, site);
      if (chance.is(0.5)) this.receive(site, 1 + chance.below(3));
      const intent = revision.choose(site, chance);
      if (intent !== undefined) this.make(site, intent);
    }
    for (const site of this.sites) if (site !== undefined) this.receive(site, this.made.length);
  }

  /** A node gets operations of others. */
  receive(site: Site, count: number): void {
    for (let left = count; left > 0; left--) {
      const ready = this.made.filter(
        ({ id, parents }) => !site.known.has(id) && parents.every((one) => site.known.has(one)),
      );
      if (ready.length === 0) return;
      site.apply(this.chance.pick(ready));
    }
  }

  /** The node with operations of others in another order: each of its own still follows the same ones. */
  reordered(number: number, chance: Chance): Site {
    const { applied } = this.sites[number] as Site;
    const site = new Site(this, number);
    const joining = applied.find(({ author, answerer }) => author === number && answerer !== undefined);
    this.revision.begin(site, joining, this.toldAtJoining.get(number) ?? 0);
    let some: Made[] = [];
    for (const made of applied) {
      if (made.author !== number) {
        some.push(made);
        continue;
      }
      for (const one of causalOrder(some, chance)) site.apply(one);
      site.apply(made);
      some = [];
    }
    for (const one of causalOrder(some, chance)) site.apply(one);
    return site;
  }

  /** The key that a group begins with. Nodes get it without an operation. */
  firstKeyOf(group: string): string {
    const key = this.#firstKeys.get(group) ?? this.newKey();
    this.#firstKeys.set(group, key);
    return key;
  }

  newKey(): string {
    const key = this.chance.bytes(32);
    const id = toHex(keyId(key));
    this.keys.set(id, key);
    return id;
  }

  #encrypted(
    plain: Uint8Array,
    key: string,
  ): { readonly nonce: Uint8Array; readonly ciphertext: Uint8Array } {
    return encrypt(this.keys.get(key) as Uint8Array, this.chance.bytes(12), plain);
  }

  #envelope(sender: Actor, to: Actor, newKey: string): unknown {
    const { chance, revision } = this;
    const groupKey = this.keys.get(newKey) as Uint8Array;
    if (!revision.accounts) {
      const shared = sharedPoint(sender.seed, fromHex(to.publicKey)) as Uint8Array;
      return {
        recipient: fromHex(to.publicKey),
        ephemeralPk: fromHex(sender.publicKey),
        ...encrypt(shared, chance.bytes(12), groupKey),
      };
    }
    const secret = chance.bytes(32);
    const key = hkdfSha256({ key: x25519(secret, to.cert.kemPk) as Uint8Array, info: DEVICE, length: 32 });
    return {
      recipient: { kind: "Device", device: to.cert.device, ephemeralPk: deriveX25519PublicKey(secret) },
      sender: fromHex(sender.publicKey),
      ...encrypt(key, chance.bytes(12), groupKey),
      signature: chance.bytes(64),
    };
  }
}

const DEVICE = new TextEncoder().encode("calimero.sharedkey.x25519.aead.v1");

/** Operations in a random order that keeps parents before children. */
export function causalOrder(operations: readonly Made[], chance: Chance): readonly Made[] {
  const left = [...operations];
  const order: Made[] = [];
  while (left.length > 0) {
    const waiting = new Set(left.map(({ id }) => id));
    const ready = left.filter(({ parents }) => !parents.some((id) => waiting.has(id)));
    const next = chance.pick(ready);
    left.splice(left.indexOf(next), 1);
    order.push(next);
  }
  return order;
}

/** The founder of a namespace and three other nodes, all with the same knowledge. More may join. */
export function fourNodes(
  revision: Revision,
  { seed = 7, nodes = 4 } = {},
): { readonly history: History; readonly founder: Site; readonly others: readonly Site[] } {
  const history = new History(seed, revision, nodes);
  const [founder] = history.sites as [Site];
  const others = [1, 2, 3].map((number) => {
    history.join(number, founder);
    return history.sites[number] as Site;
  });
  for (const site of [founder, ...others]) history.receive(site, history.made.length);
  return { history, founder, others };
}
